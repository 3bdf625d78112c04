import MPaaSSupport

/// Adds files to groups and to what targets build.
package struct AddFile: ProjectOperation {
  package static var word: String { "add-file" }

  package enum HeaderRole: String, Sendable, CaseIterable {
    case project, `private`, `public`
  }

  package enum Phase: String, Sendable, CaseIterable {
    case sources, resources, frameworks, headers, embed, none
  }

  /// From the project's folder, or absolute.
  package var paths: [String]
  package var targets = TargetWords.unnamed
  /// The group of the folder that a file is in where it is nil.
  package var group: String?
  package var position: EditPosition?
  package var phasePosition: EditPosition?
  /// By the kind of file where it is nil.
  package var phase: Phase?
  package var name: String?
  /// As `lastKnownFileType` has it; by the end of the name where it is nil.
  package var type: String?
  package var sourceTree: String?
  package var attributes: [EditAssignment] = []
  package var compilerFlags: String?
  package var header: HeaderRole?

  package init(_ paths: [String]) {
    self.paths = paths
  }

  package init(reading table: EditTable) throws(ProjectEditError) {
    try table.allow(
      "paths", "targets", "group", "position", "phase_position", "phase", "name", "type", "source_tree", "attributes",
      "compiler_flags", "header")
    paths = try table.requiredTexts("paths")
    targets = try table.targets()
    group = try table.text("group")
    position = try table.position()
    phasePosition = try table.position("phase_position")
    phase = try table.choice("phase")
    name = try table.text("name")
    type = try table.text("type")
    sourceTree = try table.text("source_tree")
    attributes = try table.assignments("attributes")
    compilerFlags = try table.text("compiler_flags")
    header = try table.choice("header")
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let targets = try editor.named(targets)
    for path in paths { try add(path, targets, &editor) }
  }

  private func add(
    _ path: String, _ targets: [ProjectEditor.ID], _ editor: inout ProjectEditor
  ) throws(ProjectEditError) {
    let path = sourceTree == nil ? PathWords.plain(path) : path
    let reference = try reference(path, &editor)
    for target in targets {
      guard let phase = try self.phase(for: path, of: target, &editor) else { continue }
      var settings: [(String, PBXValue)] = []
      if let compilerFlags { settings.append(("COMPILER_FLAGS", .string(compilerFlags))) }
      switch header {
      case .public: settings.append(("ATTRIBUTES", ["Public"]))
      case .private: settings.append(("ATTRIBUTES", ["Private"]))
      default: break
      }
      try editor.addBuildFile(for: reference, in: phase, settings: settings, at: phasePosition ?? .last)
    }
  }

  private func reference(_ path: String, _ editor: inout ProjectEditor) throws(ProjectEditError) -> ProjectEditor.ID {
    let full = sourceTree.map { "$(\($0))/" + path } ?? path
    if let known = try editor.tree().nodes.first(where: { !$0.isGroup && $0.path == full }) {
      // What stands in for a file in all its languages is their group.
      guard let parent = known.parent, editor.isa(parent) == "PBXVariantGroup" else { return known.id }
      return parent
    }
    let region = RegionalPath(path)
    if sourceTree == nil, group == nil, let region { return try regional(region, path, &editor) }
    let parent: ProjectTree.Node
    if let group {
      parent = try editor.group(group)
    } else {
      parent = try editor.madeGroup(for: sourceTree == nil ? PathWords.folder(path) : "")
    }
    var look = ProjectEditor.ReferenceLook()
    (look.name, look.type, look.sourceTree) = (name, type, sourceTree)
    look.attributes = attributes.map { ($0.key, $0.value) }
    return try editor.reference(path, in: parent, look, at: position ?? .last)
  }

  /// A file of a language comes into the group of all its languages, and that is what targets build.
  private func regional(
    _ region: RegionalPath, _ path: String, _ editor: inout ProjectEditor
  ) throws(ProjectEditError) -> ProjectEditor.ID {
    let parent = try editor.madeGroup(for: region.folder)
    let known = try editor.tree().nodes.first { node in
      editor.isa(node.id) == "PBXVariantGroup" && node.parent == parent.id && node.name == region.name
    }
    let id: ProjectEditor.ID
    if let known {
      id = known.id
    } else {
      let members: [(String, PBXValue)] = [
        ("children", .array([])), ("name", .string(region.name)), ("sourceTree", .string("<group>")),
      ]
      id = editor.add("PBXVariantGroup", seed: parent.id + "\0" + region.name, members)
      try editor.insert(id, into: "children", of: parent.id, at: position ?? .last)
    }
    guard let variant = try editor.tree()[id] else { throw editor.broken("children") }
    var look = ProjectEditor.ReferenceLook()
    (look.name, look.type) = (region.language, type)
    look.attributes = attributes.map { ($0.key, $0.value) }
    _ = try editor.reference(path, in: variant, look, at: .last)
    try editor.insert(region.language, into: "knownRegions", of: try editor.project())
    return id
  }

  private func phase(
    for path: String, of target: ProjectEditor.ID, _ editor: inout ProjectEditor
  ) throws(ProjectEditError) -> ProjectEditor.ID? {
    let kind = FileKind.Phase(rawValue: phase?.rawValue ?? "") ?? FileKind(path: path).phase
    if kind == .none { return nil }
    // Apps do not copy headers: only a target that has a phase for them is meant.
    if kind == .headers, phase == nil, header == nil { return editor.phase(.headers, of: target) }
    return try editor.madePhase(kind, of: target)
  }
}

extension EditAssignment {
  package var value: PBXValue {
    isList ? .strings(values) : .string(values.first ?? "")
  }
}

/// A path with a language's folder before its name: `App/zh-Hans.lproj/Localizable.strings`.
struct RegionalPath {
  let folder: String
  let language: String
  let name: String

  init?(_ path: String) {
    let parent = PathWords.last(PathWords.folder(path))
    guard parent.hasSuffix(".lproj"), parent.count > 6 else { return nil }
    folder = PathWords.folder(PathWords.folder(path))
    language = String(parent.dropLast(6))
    name = PathWords.last(path)
  }
}

/// Takes files and groups out of targets, or out of the project.
package struct RemoveFile: ProjectOperation {
  package static var word: String { "remove-file" }

  package var files: [String]
  /// Only what these build; the files stay in the project.
  package var targets = TargetWords.unnamed

  package init(_ files: [String]) {
    self.files = files
  }

  package init(reading table: EditTable) throws(ProjectEditError) {
    try table.allow("paths", "targets")
    files = try table.requiredTexts("paths")
    targets = try table.targets()
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let owners = try editor.named(targets)
    for file in files {
      guard let node = try editor.node(file) else {
        editor.note(.absent, file)
        continue
      }
      if targets == .unnamed {
        try editor.removeNode(node.id)
      } else if editor.removeBuildFiles(for: node.id, of: owners) == 0 {
        editor.note(.absent, file)
      }
    }
  }
}

/// Gives a file or a group another path, or another name where it has no path.
package struct RenameFile: ProjectOperation {
  package static var word: String { "rename" }

  package var file: String
  /// A name, or a path from the project's folder.
  package var name: String

  package init(_ file: String, to name: String) {
    self.file = file
    self.name = name
  }

  package init(reading table: EditTable) throws(ProjectEditError) {
    try table.allow("path", "name")
    self.init(try table.required("path"), to: try table.required("name"))
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    guard let node = try editor.node(file) else {
      // What has its new name already was renamed before.
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

  package var files: [String]
  /// nil for the group that each is in.
  package var group: String?
  package var position: EditPosition?

  package init(_ files: [String], group: String? = nil, position: EditPosition? = nil) {
    self.files = files
    self.group = group
    self.position = position
  }

  package init(reading table: EditTable) throws(ProjectEditError) {
    try table.allow("paths", "group", "position")
    self.init(
      try table.requiredTexts("paths"), group: try table.text("group"), position: try table.position())
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
    try editor.detach(node.id)
    try editor.insert(node.id, named: node.name, into: "children", of: parent.id, at: position ?? .last)
    guard editor.text(node.id, "sourceTree") ?? "<group>" == "<group>", editor.text(node.id, "path") != nil else {
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

  package var name: String
  /// Its folder from the project's; nil for a group without a folder.
  package var path: String?
  package var parent: String?
  package var position: EditPosition?

  package init(_ name: String, path: String? = nil, in parent: String? = nil, at position: EditPosition? = nil) {
    self.name = name
    self.path = path
    self.parent = parent
    self.position = position
  }

  package init(reading table: EditTable) throws(ProjectEditError) {
    try table.allow("name", "path", "group", "position")
    self.init(
      try table.required("name"), path: try table.text("path"), in: try table.text("group"),
      at: try table.position())
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
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
