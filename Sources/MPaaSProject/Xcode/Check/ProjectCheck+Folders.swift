import MPaaSConfig

extension ProjectCheck {
  private static let building: Set<String> = [
    "PBXSourcesBuildPhase", "PBXResourcesBuildPhase", "PBXFrameworksBuildPhase", "PBXHeadersBuildPhase",
  ]

  /// Files that a target builds twice: by a reference, and by a synchronized folder or as its Info.plist.
  mutating func checkFolders() {
    guard let tree else { return }
    let hasFolders = tree.nodes.contains(where: \.isSynchronised)
    for target in file.targets {
      let plists = infoPlists(target)
      for phase in file.buildPhases(of: target) where Self.building.contains(phase.isa) {
        for id in phase.strings("files") {
          guard let reference = file.object(id)?.string("fileRef") else { continue }
          for path in paths(of: reference, tree) {
            if hasFolders { checkFolder(path, id, target, tree) }
            guard phase.isa == "PBXResourcesBuildPhase", plists[path] != nil else { continue }
            report(.infoPlistCopied, ["path": path, "target": name(target)], id: id, at: offset(of: id))
          }
        }
      }
      guard hasFolders else { continue }
      var disk = DiskListing(surroundings)
      for (path, configuration) in plists.sorted(by: { $0.key < $1.key }) {
        // A file that is not there is told as such.
        guard !surroundings.isComplete || disk.has(path) else { continue }
        guard tree.synchronized(holding: path).contains(where: { file.builds($0, target.id) }) else { continue }
        report(
          .infoPlistCopied, ["path": path, "target": name(target)], id: configuration, severity: .error,
          at: offset(of: configuration, setting: "INFOPLIST_FILE"))
      }
    }
  }

  /// The place of a file, or the places of what is the same file in several languages.
  private func paths(of reference: String, _ tree: ProjectTree) -> [String] {
    guard let object = file.object(reference) else { return [] }
    guard object.isa == "PBXVariantGroup" else { return tree[reference].map { [$0.path] } ?? [] }
    return object.strings("children").compactMap { tree[$0]?.path }
  }

  private mutating func checkFolder(_ path: String, _ id: String, _ target: PBXObject, _ tree: ProjectTree) {
    guard let place = tree.synchronized(holding: path).first(where: { file.builds($0, target.id) }) else { return }
    report(
      .inSyncedFolder, ["path": path, "folder": place.folder.path, "target": name(target)], id: id, at: offset(of: id))
  }

  /// The Info.plist files of a target, each with a configuration that names it.
  private func infoPlists(_ target: PBXObject) -> [String: String] {
    var found: [String: String] = [:]
    for configuration in file.configurations(of: target) {
      let settings = SettingPaths(configuration, of: target, bundle: surroundings.bundle)
      for text in settings.values("INFOPLIST_FILE") {
        guard let path = settings.path(text).map(rooted), found[path] == nil else { continue }
        found[path] = configuration.id
      }
    }
    return found
  }

  /// A path from the folder of the `.xcodeproj`, of one from that of `SRCROOT`.
  func rooted(_ path: String) -> String {
    PathWords.joined(PathWords.plain(file.project?.string("projectDirPath") ?? ""), path)
  }

  /// The place of a build setting of a configuration, of the one with a value where several stand there.
  func offset(of configuration: String, setting key: String, _ value: String? = nil) -> Int {
    let tape = file.tape
    guard let entry = file.entry(configuration), tape.nodes[file.entries[entry].value].kind == .dictionary else {
      return offset(of: configuration)
    }
    for member in tape.children(of: file.entries[entry].value) where tape.string(member) == "buildSettings" {
      guard tape.nodes[member + 1].kind == .dictionary else { break }
      let settings = tape.children(of: member + 1).filter { node in
        tape.string(node) == key || tape.string(node).hasPrefix(key + "[")
      }
      let found = settings.first { value == nil || tape.isString($0 + 1) && tape.string($0 + 1) == value }
      if let node = found ?? settings.first { return Int(tape.nodes[node].start) }
    }
    return offset(of: configuration)
  }
}
