import MPaaSSupport

/// Has configurations take their settings from an `.xcconfig` first, or from none.
package struct SetBaseConfiguration: ProjectOperation {
  package static var word: String { "set-base-configuration" }

  /// From the project's folder; nil for none.
  package var file: String?
  package var targets = TargetWords.unnamed
  package var configurations: [String] = []
  /// Names a file that is not on disk all the same.
  package var missing = false

  package init() {}

  package init(_ file: String?) {
    self.file = file
  }

  package static var parameters: [EditParameter<Self>] {
    [
      EditParameter("path", .argument("base-configuration.file", "file", .file(["xcconfig"]))) {
        (input, base) throws(ProjectEditError) in
        try input.expectOne(of: "path", "none", expected: "FILE.xcconfig, --none")
        base.file = try input.text("path").map(input.projectPath)
      },
      EditParameter("none", isMember: false, .option("base-configuration.none").kind(.flag)),
      .targets(\.targets, "settings-target"), .configurations(\.configurations), .missing(\.missing),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let all = try editor.configurations(targets, configurations)
    let path = file.map(PathWords.plain)
    if let path, !missing { try editor.expectOnDisk(path) }
    var members: [String: String] = [:]
    if let path { members = try self.members(path, &editor) }
    for configuration in all {
      for key in Self.keys { editor.set(configuration, key, members[key]) }
    }
  }

  static let keys = [
    "baseConfigurationReference", "baseConfigurationReferenceAnchor", "baseConfigurationReferenceRelativePath",
  ]

  /// A file in a synchronized folder is named by the folder and its path from there, another by its reference.
  private func members(
    _ path: String, _ editor: inout ProjectEditor
  ) throws(ProjectEditError) -> [String: String] {
    if let known = try editor.tree().nodes.first(where: { !$0.isGroup && !$0.isSynchronised && $0.path == path }) {
      return [Self.keys[0]: known.id]
    }
    if let place = try editor.synchronized(path, for: nil) {
      return [Self.keys[1]: place.folder.id, Self.keys[2]: place.file]
    }
    return [
      Self.keys[0]: try editor.reference(path, in: try editor.madeGroup(for: PathWords.folder(path)), at: .last)
    ]
  }
}

/// Sets what the project says of itself or of targets besides build settings: `LastUpgradeCheck`, `ORGANIZATIONNAME`.
package struct SetProjectAttributes: ProjectOperation {
  package static var word: String { "set-attribute" }

  package var attributes: [EditAssignment] = []
  package var removed: [String] = []
  /// The project's own where none is named.
  package var targets = TargetWords.unnamed

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .assignments("attributes", \.attributes, .argument("set-attribute.attributes", "key=value")),
      .texts("remove", \.removed, .option("set-attribute.remove", "key")), .targets(\.targets, "set-attribute.target"),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let project = try editor.project()
    var all = editor[project, "attributes"] ?? [:]
    if targets == .unnamed {
      change(&all)
    } else {
      var byTarget = all["TargetAttributes"] ?? [:]
      for target in try editor.named(targets) {
        var own = byTarget[target] ?? [:]
        change(&own)
        byTarget[target] = own.members?.isEmpty ?? true ? nil : own
      }
      all["TargetAttributes"] = byTarget.members?.isEmpty ?? true ? nil : byTarget
    }
    editor.set(project, "attributes", all)
  }

  private func change(_ value: inout PBXValue) {
    for attribute in attributes { value[attribute.key] = attribute.value }
    for key in removed { value[key] = nil }
  }
}

/// Says which Xcode the project is written for.
package struct SetFormat: ProjectOperation {
  package static var word: String { "set-format" }

  package var objectVersion: String?
  package var compatibility: String?
  package var preferred: String?

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .text("object_version", \.objectVersion, .option("set-format.object", "number")),
      .text(
        "compatibility_version", \.compatibility,
        .option("set-format.compatibility", "text", named: "compatibility")),
      .text("preferred_version", \.preferred, .option("set-format.preferred", "number", named: "preferred")),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let project = try editor.project()
    if let objectVersion {
      guard UInt16(objectVersion) != nil else {
        throw ProjectEditError(.badWord, ["word": objectVersion, "expected": "77"])
      }
      editor.set(root: "objectVersion", objectVersion)
    }
    if let compatibility { editor.set(project, "compatibilityVersion", compatibility) }
    if let preferred { editor.set(project, "preferredProjectObjectVersion", preferred) }
  }
}

/// Says which configuration is built where none is named.
package struct SetDefaultConfiguration: ProjectOperation {
  package static var word: String { "set-default-configuration" }

  package var name = ""
  package var targets = TargetWords.unnamed

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .text("name", \.name, .argument("set-default-configuration.name", "name")),
      .targets(\.targets, "settings-target"),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    _ = try editor.configurations(targets, [name])
    let owners = try targets == .unnamed ? [editor.project()] : editor.named(targets)
    for owner in owners {
      guard let list = editor.text(owner, "buildConfigurationList") else { continue }
      editor.set(list, "defaultConfigurationName", name)
    }
  }
}

/// Has targets be built after others of the project.
package struct AddDependency: ProjectOperation {
  package static var word: String { "add-dependency" }

  package var names: [String] = []
  package var targets = TargetWords.unnamed

  package init() {}

  package init(_ names: [String]) {
    self.names = names
  }

  package static var parameters: [EditParameter<Self>] {
    [
      .requiredTexts("names", \.names, .argument("add-dependency.names", "target")), .targets(\.targets),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let project = try editor.project()
    for target in try editor.needed(targets) {
      for other in try editor.named(.names(names)) where other != target {
        guard !editor.dependencies(of: target).contains(where: { editor.text($0, "target") == other }) else { continue }
        let proxy = editor.add(
          "PBXContainerItemProxy", seed: target + " " + other,
          [
            ("containerPortal", .string(project)), ("proxyType", "1"), ("remoteGlobalIDString", .string(other)),
            ("remoteInfo", .string(editor.targetName(other))),
          ])
        let id = editor.add(
          "PBXTargetDependency", seed: target + " " + other,
          [("target", .string(other)), ("targetProxy", .string(proxy))])
        try editor.insert(id, into: "dependencies", of: target)
      }
    }
  }
}

/// Has targets no longer wait for others.
package struct RemoveDependency: ProjectOperation {
  package static var word: String { "remove-dependency" }

  package var names: [String] = []
  package var targets = TargetWords.unnamed

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .requiredTexts("names", \.names, .argument("add-dependency.names", "target")), .targets(\.targets),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let others = try editor.named(.names(names))
    for target in try editor.needed(targets) {
      for id in editor.dependencies(of: target) {
        guard let other = editor.text(id, "target"), others.contains(other) else { continue }
        editor.remove(id, from: "dependencies", of: target)
        if let proxy = editor.text(id, "targetProxy") { editor.drop(proxy) }
        editor.drop(id)
      }
    }
  }
}

extension ProjectEditor {
  func dependencies(of target: ID) -> [ID] { list(target, "dependencies").filter { object($0) != nil } }
}
