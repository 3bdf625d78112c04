import MPaaSJSON
import MPaaSSupport

extension XCProjFile {
  /// Something that the project takes to be on disk, and where it says so.
  private struct Claim {
    let rule: ProjectFinding.Rule
    var severity: ProjectFinding.Severity?
    let path: String
    var values: [String: String] = [:]
    let node: JSONNode
  }

  /// Finds what the project names and is not on disk; one note where nothing of it is there.
  func missing(_ surroundings: ProjectSurroundings) -> [ProjectFinding] {
    guard surroundings.isComplete else { return [] }
    let configurations = configurationClaims()
    let settings = Set(configurations.map(\.path))
    let files = (root["files"]?.elements ?? []).flatMap { claims($0, in: "") }.filter { !settings.contains($0.path) }
    let all = configurations + packageClaims() + settingClaims(surroundings.bundle) + files
    var disk = DiskListing(surroundings)
    let missing = all.filter { !disk.has($0.path) }
    guard !missing.isEmpty else { return [] }
    if missing.count == all.count {
      return [ProjectFinding(.noFiles, ["count": "\(all.count)"], at: place(of: root))]
    }
    return missing.map { claim in
      ProjectFinding(
        claim.rule, claim.values.merging(["path": claim.path]) { $1 }, id: claim.path, severity: claim.severity,
        at: place(of: claim.node))
    }
  }

  private func claims(_ node: JSONNode, in folder: String) -> [Claim] {
    let own = node["path"]?.string
    let path = own.map { PathWords.joined(folder, $0) } ?? folder
    if let children = node["children"]?.elements { return children.flatMap { claims($0, in: path) } }
    // `<PRODUCTS>/Shop.app` and the like are made by the build or by others.
    guard let own, !own.hasPrefix("<"), !own.hasPrefix("/"), !own.contains("$"), let place = node["path"] else {
      return []
    }
    if node["kind"]?.string == "folder" { return [Claim(rule: .missingSyncedFolder, path: path, node: place)] }
    let isBuilt = !(node["target-membership"]?.elements ?? []).isEmpty
    let isFramework = FileKind(path: path).phase == .frameworks
    return [
      Claim(
        rule: isFramework ? .missingFramework : .missingFile, severity: isBuilt ? .error : .warning, path: path,
        node: place)
    ]
  }

  private func configurationClaims() -> [Claim] {
    (root["configurations"]?.elements ?? []).compactMap { node in
      guard let file = node["file"], let path = file.string, !path.contains("$"), !path.hasPrefix("/") else {
        return nil
      }
      return Claim(
        rule: .missingBaseConfiguration, path: PathWords.plain(path),
        values: ["configuration": node["name"]?.string ?? ""], node: file)
    }
  }

  private func packageClaims() -> [Claim] {
    (root["packages"]?.elements ?? []).compactMap { node in
      guard node["kind"]?.string == "local", let place = node["path"], let path = place.string else { return nil }
      return Claim(rule: .missingPackage, path: PathWords.joined(path, "Package.swift"), node: place)
    }
  }

  private func settingClaims(_ bundle: String) -> [Claim] {
    targets.flatMap { target -> [Claim] in
      let members = target["build-settings"]?.members ?? []
      let name = target["name"]?.string ?? ""
      let settings = members.compactMap { member in member.value.string.map { PBXMember(member.name, .string($0)) } }
      let paths = SettingPaths(settings, target: name, configuration: nil, bundle: bundle)
      return ProjectCheck.fileSettings.flatMap { key in
        members.filter { $0.name == key || $0.name.hasPrefix(key + "[") }.compactMap { member -> Claim? in
          guard let path = member.value.string.flatMap({ paths.path($0) }), !path.isEmpty, !path.hasPrefix("/") else {
            return nil
          }
          return Claim(
            rule: .missingSettingFile, path: path, values: ["setting": key, "target": name, "configuration": "*"],
            node: member.value)
        }
      }
    }
  }
}
