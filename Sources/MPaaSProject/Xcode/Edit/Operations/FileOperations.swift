import MPaaSSupport

/// Takes files and groups out of targets, or out of the project.
package struct RemoveFile: ProjectOperation {
  package static var word: String { "remove-file" }

  package var files: [String] = []
  /// Only what these build; the files stay in the project.
  package var targets = TargetWords.unnamed

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .paths("paths", \.files, .argument("files", "path")), .targets(\.targets, "remove-file.target"),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let owners = try editor.named(targets)
    for file in files {
      guard let node = try editor.node(file) else {
        try removeFromFolder(PathWords.plain(file), owners, &editor)
        continue
      }
      if targets == .unnamed {
        try editor.removeNode(node.id)
      } else if editor.removeBuildFiles(for: node.id, of: owners) == 0 {
        editor.note(.absent, file)
      }
    }
  }

  /// A file of a synchronized folder has no reference: targets do without it by an exception.
  private func removeFromFolder(
    _ path: String, _ owners: [ProjectEditor.ID], _ editor: inout ProjectEditor
  ) throws(ProjectEditError) {
    var isThere = false
    for target in owners {
      guard let place = try editor.synchronized(path, for: target), editor.draft.builds(place, target) else { continue }
      if try editor.set(place, built: false, by: target) { isThere = true }
    }
    if isThere { return }
    if owners.isEmpty, let place = try editor.synchronized(path, for: nil) {
      return editor.note(.syncedStays, path, place.folder.path)
    }
    editor.note(.absent, path)
  }
}

/// Gives a file or a group another path, or another name where it has no path.
package struct RenameFile: ProjectOperation {
  package static var word: String { "rename" }

  package var file = ""
  /// A name, or a path from the project's folder.
  package var name = ""

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .path("path", \.file, .argument("file", "path")), .path("name", \.name, .argument("rename.name", "name")),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    try ProjectEditor.expectName(PathWords.plain(name).filter { $0 != "/" })
    guard let node = try editor.node(file) else {
      // A file that has its new name already was renamed before.
      if try editor.node(renamed(file)) != nil { return }
      _ = try editor.existing(file)
      return
    }
    let id = node.id
    guard let path = editor.text(id, "path") else {
      editor.set(id, "name", name)
      return
    }
    if PathWords.last(name) == name {
      editor.set(id, "path", PathWords.joined(PathWords.folder(path), name))
    } else {
      let tree = try editor.tree()
      let parent = node.parent.flatMap { tree[$0] }
      editor.set(id, "path", PathWords.relative(PathWords.plain(name), from: parent?.path ?? ""))
    }
    let shown = PathWords.last(name)
    if editor.text(id, "name") != nil { editor.set(id, "name", editor.text(id, "path") == shown ? nil : shown) }
    if node.type(in: editor).map({ $0 == FileKind(path: path).type }) ?? false {
      editor.set(id, "lastKnownFileType", FileKind(path: name).type)
    }
  }

  private func renamed(_ file: String) -> String {
    PathWords.last(name) == name ? PathWords.joined(PathWords.folder(file), name) : name
  }
}

extension ProjectTree.Node {
  fileprivate func type(in editor: ProjectEditor) -> String? { editor.text(id, "lastKnownFileType") }
}

/// Puts files and groups into another group, or elsewhere in theirs; the files stay where they are on disk.
package struct MoveFile: ProjectOperation {
  package static var word: String { "move" }

  package var files: [String] = []
  /// nil for the group that each is in.
  package var group: String?
  package var position: EditPosition?

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .paths("paths", \.files, .argument("files", "path")), .group(\.group, "move.group"), .position(\.position),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    for file in files {
      let node = try editor.existing(file)
      guard let old = node.parent else { throw editor.broken("mainGroup") }
      guard let group else {
        try editor.move(node.id, in: "children", of: old, to: position ?? .last)
        continue
      }
      let parent = try editor.group(group)
      if parent.id == old {
        if let position { try editor.move(node.id, in: "children", of: old, to: position) }
        continue
      }
      try move(node, to: parent, &editor)
    }
  }

  private func move(
    _ node: ProjectTree.Node, to parent: ProjectTree.Node, _ editor: inout ProjectEditor
  ) throws(ProjectEditError) {
    if parent.id == node.id || parent.names.hasPrefix(node.names + "/") {
      throw ProjectEditError(.badWord, ["word": parent.names, "expected": "GROUP"])
    }
    let tree = try editor.tree()
    try editor.detach(node.id)
    try editor.insert(node.id, named: node.name, into: "children", of: parent.id, at: position ?? .last)
    settle(node, below: parent, tree, &editor)
  }

  /// Gives something the way from its new group to where it is; of a group without a folder, what is in it.
  ///
  /// - Parameter tree: The places before.
  private func settle(
    _ node: ProjectTree.Node, below parent: ProjectTree.Node, _ tree: ProjectTree, _ editor: inout ProjectEditor
  ) {
    guard editor.text(node.id, "sourceTree") ?? "<group>" == "<group>" else { return }
    guard editor.text(node.id, "path") != nil else {
      for child in editor.list(node.id, "children").compactMap({ tree[$0] }) where child.parent == node.id {
        settle(child, below: parent, tree, &editor)
      }
      return
    }
    let way = PathWords.way(to: node.path, from: parent.path)
    let path = way ?? node.path
    editor.set(node.id, "path", path)
    if way == nil { editor.set(node.id, "sourceTree", node.path.hasPrefix("/") ? "<absolute>" : "SOURCE_ROOT") }
    editor.set(node.id, "name", node.name == path ? nil : node.name)
  }
}

/// Adds a group.
package struct AddGroup: ProjectOperation {
  package static var word: String { "add-group" }

  package var name = ""
  /// Its folder from the project's; nil for a group without a folder.
  package var path: String?
  package var parent: String?
  package var position: EditPosition?

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .text("name", \.name, .argument("add-group.name", "name")),
      .path("path", \.path, .option("add-group.path", "folder", .folder)), .group(\.parent, "add-group.group"),
      .position(\.position),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    try ProjectEditor.expectName(name)
    let parent: ProjectTree.Node
    if let word = self.parent {
      parent = try editor.group(word)
    } else {
      parent = try path == nil ? editor.group("") : editor.madeGroup(for: PathWords.folder(PathWords.plain(path ?? "")))
    }
    let isKnown = try editor.tree().nodes.contains { $0.isGroup && $0.parent == parent.id && $0.name == name }
    guard !isKnown else { return }
    let own = path.map { PathWords.relative(PathWords.plain($0), from: parent.path) }
    try editor.addGroup(name, path: own, in: parent.id, at: position ?? .last)
  }
}
