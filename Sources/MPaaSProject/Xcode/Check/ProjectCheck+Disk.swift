/// Something that a project takes to be on disk.
struct DiskClaim {
  let rule: ProjectFinding.Rule
  var severity: ProjectFinding.Severity?
  /// From the folder of the `.xcodeproj`, or absolute.
  let path: String
  var values: [String: String] = [:]
  let id: String
  let offset: Int
}

extension ProjectCheck {
  /// Finds files that the project names and that are not on disk.
  ///
  /// Products, files of the system and of the SDK, outputs of scripts, and paths that only the build knows are not looked
  /// for. Where nothing at all is there, the project came without its files, and that is said once.
  mutating func checkDisk() {
    guard surroundings.isComplete, let tree else { return }
    let generated = outputs()
    let all = fileClaims(tree) + configurationClaims(tree) + settingClaims() + packageClaims() + folderClaims(tree)
    let claims = all.filter { claim in
      !generated.contains { claim.path == $0 || claim.path.hasPrefix($0 + "/") }
    }
    var disk = DiskListing(surroundings)
    let missing = claims.filter { !disk.has($0.path) }
    guard !missing.isEmpty else { return }
    if missing.count == claims.count {
      return report(
        .noFiles, ["count": "\(claims.count)"], id: file.project?.id ?? "", at: offset(of: file.project?.id ?? ""))
    }
    for claim in missing {
      report(
        claim.rule, claim.values.merging(["path": claim.path]) { $1 }, id: claim.id, severity: claim.severity,
        at: claim.offset)
    }
  }

  /// Tells if it is certain where a path leads on this machine.
  private func isCertain(_ path: String) -> Bool {
    guard !path.isEmpty, !path.contains("$") else { return false }
    let others = ["/System/", "/Library/", "/usr/", "/Applications/", "/Developer/", "/opt/"]
    return !others.contains { path.hasPrefix($0) }
  }

  private func fileClaims(_ tree: ProjectTree) -> [DiskClaim] {
    var built = Set(file.objects("PBXBuildFile").compactMap { $0.string("fileRef") })
    for reference in file.project?["projectReferences"]?.array ?? [] {
      if let id = reference["ProjectRef"]?.string { built.insert(id) }
    }
    var others = Set(file.targets.compactMap { $0.string("productReference") })
    others.formUnion(file.objects("XCBuildConfiguration").compactMap { $0.string("baseConfigurationReference") })
    return tree.nodes.compactMap { node in
      guard !node.isGroup, !node.isSynchronised, !others.contains(node.id), isCertain(node.path),
        file.object(node.id)?.isa == "PBXFileReference"
      else { return nil }
      let isFramework = FileKind(path: node.path).phase == .frameworks
      let isBuilt = built.contains(node.id) || node.parent.map { built.contains($0) } ?? false
      return DiskClaim(
        rule: isFramework ? .missingFramework : .missingFile, severity: isBuilt ? .error : .warning, path: node.path,
        id: node.id, offset: offset(of: node.id))
    }
  }

  private func configurationClaims(_ tree: ProjectTree) -> [DiskClaim] {
    file.objects("XCBuildConfiguration").compactMap { configuration in
      let path: String?
      let key: String
      if let anchor = configuration.string("baseConfigurationReferenceAnchor") {
        key = "baseConfigurationReferenceRelativePath"
        path = tree[anchor].map { PathWords.joined($0.path, configuration.string(key) ?? "") }
      } else {
        key = "baseConfigurationReference"
        path = configuration.string(key).flatMap { tree[$0]?.path }
      }
      guard let path, isCertain(path) else { return nil }
      return DiskClaim(
        rule: .missingBaseConfiguration, path: path, values: ["configuration": configuration.string("name") ?? ""],
        id: configuration.id, offset: offset(of: configuration.id, key))
    }
  }

  private func packageClaims() -> [DiskClaim] {
    file.objects("XCLocalSwiftPackageReference").compactMap { package in
      guard let path = package.string("relativePath").map(rooted), isCertain(path + "/Package.swift") else {
        return nil
      }
      return DiskClaim(
        rule: .missingPackage, path: PathWords.joined(path, "Package.swift"), id: package.id,
        offset: offset(of: package.id, "relativePath"))
    }
  }

  /// Synchronized folders, and the files that their exceptions name.
  private func folderClaims(_ tree: ProjectTree) -> [DiskClaim] {
    tree.nodes.filter { $0.isSynchronised && isCertain($0.path) }.flatMap { node -> [DiskClaim] in
      let folder = DiskClaim(rule: .missingSyncedFolder, path: node.path, id: node.id, offset: offset(of: node.id))
      let sets = file.object(node.id)?.strings("exceptions").compactMap { file.object($0) } ?? []
      return [folder]
        + sets.flatMap { set in
          set.strings("membershipExceptions").filter { !$0.hasPrefix("/") }.map { entry in
            DiskClaim(
              rule: .missingException, path: PathWords.joined(node.path, entry), values: ["folder": node.path],
              id: set.id, offset: offset(of: set.id, "membershipExceptions", entry))
          }
        }
    }
  }

  /// The files that scripts of the project say that they make.
  private func outputs() -> Set<String> {
    var outputs: Set<String> = []
    let lists = file.objects("PBXShellScriptBuildPhase").flatMap { $0.strings("outputFileListPaths") }
      .compactMap { SettingPaths(nil, of: nil, bundle: surroundings.bundle).path($0) }
    var texts = file.objects("PBXShellScriptBuildPhase").flatMap { $0.strings("outputPaths") }
    for list in lists {
      guard let bytes = try? surroundings.read(rooted(list)) else { continue }
      texts += String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        .map(String.init).filter { !$0.hasPrefix("#") }
    }
    for text in texts {
      if let path = SettingPaths(nil, of: nil, bundle: surroundings.bundle).path(text), !path.isEmpty {
        outputs.insert(rooted(path))
      }
    }
    return outputs
  }
}
