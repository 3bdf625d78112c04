import MPaaSSupport

extension AddFile {
  /// Tells if a file is in the project because it lies in a synchronized folder.
  func isInFolder(_ path: String, _ editor: inout ProjectEditor) throws(ProjectEditError) -> Bool {
    guard sourceTree == nil, try !editor.hasReference(path), let place = try editor.synchronized(path, for: nil) else {
      return false
    }
    if targets == .unnamed { editor.note(.synced, path, place.folder.path) }
    return true
  }

  /// Has a target build a file by the synchronized folder that it lies in, as Xcode does: the project gets no reference.
  ///
  /// - Returns: false where it lies in none, or needs a reference all the same.
  func addToFolder(
    _ path: String, _ target: ProjectEditor.ID, _ editor: inout ProjectEditor
  ) throws(ProjectEditError) -> Bool {
    guard sourceTree == nil, let place = try editor.synchronized(path, for: target) else { return false }
    let isBuilt = editor.draft.builds(place, target)
    // A file that another target builds by a reference is built by that.
    let hasReference = try editor.hasReference(path)
    guard isBuilt || !hasReference else { return false }
    try refuse(for: place, path)
    if !isBuilt, editor.isInfoPlist(path, of: target) {
      editor.note(.infoPlist, path, editor.targetName(target))
      return true
    }
    if phase != AddFile.Phase.none {
      guard try editor.set(place, built: true, by: target) else { return false }
    }
    if isBuilt { editor.note(.synced, path, place.folder.path) }
    try set(place, target, &editor)
    if let region = RegionalPath(path) {
      try editor.insert(region.language, into: "knownRegions", of: try editor.project())
    }
    return true
  }

  /// Refuses options that have no effect there: the phase follows from the kind of file, and that from its name.
  private func refuse(for place: SynchronizedFile, _ path: String) throws(ProjectEditError) {
    let kind = FileKind(path: path)
    var option: String?
    if let phase, phase != .none, phase.rawValue != kind.phase.rawValue { option = "--phase " + phase.rawValue }
    if let type, type != kind.type { option = "--type " + type }
    guard let option else { return }
    throw ProjectEditError(.syncedOption, ["file": path, "folder": place.folder.path, "option": option])
  }

  private func set(
    _ place: SynchronizedFile, _ target: ProjectEditor.ID, _ editor: inout ProjectEditor
  ) throws(ProjectEditError) {
    if let compilerFlags {
      try editor.set("additionalCompilerFlagsByRelativePath", .string(compilerFlags), of: place, .target(target))
    }
    switch header {
    case .public: try editor.insert(place, into: "publicHeaders", of: .target(target))
    case .private: try editor.insert(place, into: "privateHeaders", of: .target(target))
    default: break
    }
  }
}

extension ProjectEditor {
  /// Tells if a file of a path stands in a group.
  mutating func hasReference(_ path: String) throws(ProjectEditError) -> Bool {
    try tree().nodes.contains { !$0.isGroup && !$0.isSynchronised && $0.path == path }
  }

  /// Tells if a file is the Info.plist of a target in one of its configurations.
  func isInfoPlist(_ path: String, of target: ID) -> Bool {
    guard let target = object(target) else { return false }
    return draft.configurations(of: target).contains { configuration in
      let paths = SettingPaths(configuration, of: target, bundle: files.bundle)
      return paths.values("INFOPLIST_FILE").contains { paths.path($0) == path }
    }
  }
}
