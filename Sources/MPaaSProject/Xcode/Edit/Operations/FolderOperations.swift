import MPaaSSupport

/// Adds a group that goes by a folder, with all that is in it, to targets (Xcode 16 and later).
package struct AddSynchronizedFolder: ProjectOperation {
  package static var word: String { "add-synced-folder" }

  /// From the project's folder.
  package var path = ""
  package var targets = TargetWords.unnamed
  /// The group of the folder above where it is nil.
  package var group: String?
  package var position: EditPosition?
  /// Files of the folder that the targets do without.
  package var except: [String] = []
  /// Takes a folder that is not on disk all the same.
  package var missing = false

  package init() {}

  package init(_ path: String) {
    self.path = path
  }

  package static var parameters: [EditParameter<Self>] {
    [
      .path("path", \.path, .argument("synced-folder", "folder", .folder)), .targets(\.targets), .group(\.group),
      .position(\.position),
      EditParameter("except", isMember: false, .option("add-synced-folder.except", "file").kind(.texts)) {
        (input, folder) throws(ProjectEditError) in folder.except = try input.texts("except")
      },
      .missing(\.missing),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let owners = try editor.named(targets)
    let path = PathWords.plain(path)
    if !missing { try editor.expectOnDisk(path) }
    let id: ProjectEditor.ID
    if let known = try editor.synchronised(path) {
      id = known.id
    } else {
      let parent: ProjectTree.Node
      if let group {
        parent = try editor.group(group)
      } else {
        parent = try editor.madeGroup(for: PathWords.folder(path))
      }
      let own = PathWords.relative(path, from: parent.path)
      var members: [(String, PBXValue)] = [("path", .string(own)), ("sourceTree", "<group>")]
      if PathWords.last(own) != own { members.append(("name", .string(PathWords.last(own)))) }
      id = editor.add("PBXFileSystemSynchronizedRootGroup", seed: path, members)
      try editor.insert(id, into: "children", of: parent.id, at: position ?? .last)
    }
    for target in owners { try editor.insert(id, into: "fileSystemSynchronizedGroups", of: target) }
    guard !except.isEmpty else { return }
    var exclusion = ExcludeFiles(except, of: self.path)
    exclusion.targets = targets
    try exclusion.apply(to: &editor)
  }
}

/// Takes a folder's group out of targets, or out of the project.
package struct RemoveSynchronizedFolder: ProjectOperation {
  package static var word: String { "remove-synced-folder" }

  package var path = ""
  /// Only these; the group stays in the project.
  package var targets = TargetWords.unnamed

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .path("path", \.path, .argument("synced-folder", "folder")), .targets(\.targets, "remove-file.target"),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    guard let node = try editor.synchronised(path) else { return editor.note(.absent, path) }
    let owners = try targets == .unnamed ? editor.targets() : editor.named(targets)
    for target in owners {
      editor.remove(node.id, from: "fileSystemSynchronizedGroups", of: target)
      if editor.list(target, "fileSystemSynchronizedGroups").isEmpty {
        editor.set(target, "fileSystemSynchronizedGroups", PBXValue?.none)
      }
      editor.removeExceptions(of: node.id) { $0 == target }
    }
    guard targets == .unnamed else { return }
    editor.removeExceptions(of: node.id) { _ in true }
    for configuration in editor.all("XCBuildConfiguration")
    where editor.text(configuration, "baseConfigurationReferenceAnchor") == node.id {
      for key in SetBaseConfiguration.keys { editor.set(configuration, key, String?.none) }
    }
    try editor.detach(node.id)
    editor.drop(node.id)
  }
}

/// Has a target not build files of a folder that it is given: those that it has are left out, others are taken in.
package struct ExcludeFiles: ProjectOperation {
  package static var word: String { "exclude" }

  package var folder = ""
  /// From the folder.
  package var files: [String] = []
  package var targets = TargetWords.unnamed

  package init() {}

  package init(_ files: [String], of folder: String) {
    self.files = files
    self.folder = folder
  }

  package static var parameters: [EditParameter<Self>] {
    [
      .path("path", \.folder, .argument("synced-folder", "folder")),
      .requiredTexts("files", \.files, .argument("folder-files", "file")), .targets(\.targets),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let node = try editor.existingSynchronised(folder)
    for target in try editor.needed(targets) {
      let isMember = editor.list(target, "fileSystemSynchronizedGroups").contains(node.id)
      try editor.set(files, excepted: isMember, in: node.id, target)
    }
  }
}

/// Has a target build files of a folder again, or files of a folder that is another target's.
package struct IncludeFiles: ProjectOperation {
  package static var word: String { "include" }

  package var folder = ""
  package var files: [String] = []
  package var targets = TargetWords.unnamed

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .path("path", \.folder, .argument("synced-folder", "folder")),
      .requiredTexts("files", \.files, .argument("folder-files", "file")), .targets(\.targets),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let node = try editor.existingSynchronised(folder)
    for target in try editor.needed(targets) {
      let isMember = editor.list(target, "fileSystemSynchronizedGroups").contains(node.id)
      try editor.set(files, excepted: !isMember, in: node.id, target)
    }
  }
}

extension ProjectEditor {
  /// The group that goes by a folder; nil where there is none.
  mutating func synchronised(_ word: String) throws(ProjectEditError) -> ProjectTree.Node? {
    let path = PathWords.plain(word)
    let groups = try tree().nodes.filter(\.isSynchronised)
    return groups.first { $0.path == path } ?? groups.first { $0.names == word || $0.id == word }
      ?? groups.first { $0.name == word }
  }

  mutating func existingSynchronised(_ word: String) throws(ProjectEditError) -> ProjectTree.Node {
    if let node = try synchronised(word) { return node }
    let names = try tree().nodes.filter(\.isSynchronised).map(\.path)
    throw ProjectEditError(.noGroup, ["group": word, "suggestion": closestMatch(to: word, among: names) ?? "–"])
  }
}
