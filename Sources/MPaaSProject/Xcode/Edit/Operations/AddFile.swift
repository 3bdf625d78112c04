import MPaaSSupport

/// Adds files to groups and to what targets build.
package struct AddFile: ProjectOperation {
  package static var word: String { "add-file" }

  package enum HeaderRole: String, EditChoice {
    case project, `private`, `public`
  }

  package enum Phase: String, EditChoice {
    case sources, resources, frameworks, headers, embed, none
  }

  /// From the project's folder, or absolute.
  package var paths: [String] = []
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
  /// Adds files that are not on disk all the same.
  package var missing = false

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .paths("paths", \.paths, .argument("add-file.paths", "path", .file([]))), .targets(\.targets), .group(\.group),
      .position(\.position), .phasePosition(\.phasePosition),
      .choice("phase", \.phase, .option("add-file.phase")), .choice("header", \.header, .option("add-file.header")),
      .text("compiler_flags", \.compilerFlags, .option("add-file.flags", "flags", takesHyphens: true)),
      .text("name", \.name, .option("add-file.name", "name")),
      .text("type", \.type, .option("add-file.type", "type")),
      EditParameter("source_tree", .option("add-file.source-tree", "tree")) { (input, file) throws(ProjectEditError) in
        file.sourceTree = try input.text("source_tree")
        // A path that begins elsewhere is none of the project.
        if file.sourceTree != nil { file.paths = try input.requiredTexts("paths") }
      },
      .assignments("attributes", \.attributes, .option("add-file.attribute", "key=value")), .missing(\.missing),
    ]
  }

  package static let members = [
    "paths", "targets", "group", "position", "phase_position", "phase", "name", "type", "source_tree", "attributes",
    "compiler_flags", "header", "missing",
  ]

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let targets = try editor.named(targets)
    for path in paths { try add(path, targets, &editor) }
  }

  private func add(
    _ path: String, _ targets: [ProjectEditor.ID], _ editor: inout ProjectEditor
  ) throws(ProjectEditError) {
    let path = sourceTree == nil ? PathWords.plain(path) : path
    try ProjectEditor.expectName(path)
    if sourceTree == nil, !missing { try editor.expectOnDisk(path) }
    var others: [ProjectEditor.ID] = []
    for target in targets where try !addToFolder(path, target, &editor) { others.append(target) }
    if others.isEmpty, try isInFolder(path, &editor) { return }
    let reference = try reference(path, &editor)
    for target in others {
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
      // The group of a file's languages stands for the file in all of them.
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
    if kind == .resources, phase == nil, editor.isInfoPlist(path, of: target) {
      editor.note(.infoPlist, path, editor.targetName(target))
      return nil
    }
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
