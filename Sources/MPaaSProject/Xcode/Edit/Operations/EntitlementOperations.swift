import MPaaSConfig
import MPaaSSupport

/// Gives targets entitlements, in the file that their settings name; where there is none, the file is made and named.
package struct SetEntitlements: ProjectOperation {
  package static var word: String { "set-entitlement" }

  package var entitlements: [EditAssignment] = []
  /// The file for targets that have none, from the project's folder.
  package var file: String?
  package var targets = TargetWords.unnamed
  package var configurations: [String] = []

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .assignments(
        "entitlements", \.entitlements, .argument("set-entitlement.entitlements", "key=value").required()),
      .list,
      .path("path", \.file, .option("set-entitlement.file", "file", .file(["entitlements"]), named: "file")),
      .targets(\.targets), .configurations(\.configurations),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    for target in try editor.needed(targets) {
      var paths: [String] = []
      for configuration in try editor.configurations(.names([target]), configurations) {
        let path = try path(target, configuration, &editor)
        if !paths.contains(path) { paths.append(path) }
      }
      for path in paths {
        try editor.revise(entitlements: path) { root in
          for entitlement in entitlements {
            root = root.with(entitlement.key, EntitlementValue.value(entitlement))
          }
        }
      }
    }
  }

  /// The file of a configuration; its setting is made where it has none.
  private func path(
    _ target: ProjectEditor.ID, _ configuration: ProjectEditor.ID, _ editor: inout ProjectEditor
  ) throws(ProjectEditError) -> String {
    if let known = try editor.entitlementsFile(target, configuration) { return known }
    let name = editor.targetName(target)
    let path =
      if let file { PathWords.plain(file) } else { try editor.sourceFolder(of: target) + "/\(name).entitlements" }
    editor.set(setting: "CODE_SIGN_ENTITLEMENTS", in: configuration, to: .string(path))
    if try editor.tree().synchronized(holding: path).isEmpty, try editor.node(path) == nil {
      _ = try editor.reference(path, in: try editor.madeGroup(for: PathWords.folder(path)), at: .last)
    }
    return path
  }
}

/// Takes entitlements away from targets: some of them, or the whole file.
package struct RemoveEntitlements: ProjectOperation {
  package static var word: String { "remove-entitlement" }

  package var keys: [String] = []
  /// Tells whether targets have no entitlements at all afterwards; the file leaves the project and stays on disk.
  package var all = false
  package var targets = TargetWords.unnamed
  package var configurations: [String] = []

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      EditParameter("keys", .argument("remove-entitlement.keys", "key").kind(.texts)) {
        (input, operation) throws(ProjectEditError) in
        let isAll = try input.flag("all", default: false)
        operation.keys = isAll ? try input.texts("keys") : try input.requiredTexts("keys")
      },
      .flag("all", \.all, .option("remove-entitlement.all")), .targets(\.targets), .configurations(\.configurations),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    guard all != !keys.isEmpty else {
      throw ProjectEditError(.badWord, ["word": keys.first ?? "", "expected": "KEY…, --all"])
    }
    for target in try editor.needed(targets) {
      var files: [String] = []
      for configuration in try editor.configurations(.names([target]), configurations) {
        guard let file = try editor.entitlementsFile(target, configuration) else { continue }
        if !files.contains(file) { files.append(file) }
        if all { editor.set(setting: "CODE_SIGN_ENTITLEMENTS", in: configuration, to: nil) }
      }
      if all {
        if files.isEmpty { editor.note(.absent, "CODE_SIGN_ENTITLEMENTS") }
        for file in files { try removeReference(file, &editor) }
      } else {
        try remove(keys, files, &editor)
      }
    }
  }

  private func remove(
    _ keys: [String], _ files: [String], _ editor: inout ProjectEditor
  ) throws(ProjectEditError) {
    var found: Set<String> = []
    for file in files where try editor.file(file) != nil {
      try editor.revise(entitlements: file) { root in
        for key in keys where root[key] != nil {
          found.insert(key)
          root = root.with(key, nil)
        }
      }
    }
    for key in keys where !found.contains(key) { editor.note(.absent, key) }
  }

  /// A file that no configuration names any more leaves the project.
  private func removeReference(_ path: String, _ editor: inout ProjectEditor) throws(ProjectEditError) {
    for target in try editor.targets() {
      for configuration in try editor.configurations(.names([target]), []) {
        if try editor.entitlementsFile(target, configuration) == path { return }
      }
    }
    guard let node = try editor.node(path), editor.isa(node.id) == "PBXFileReference" else { return }
    try editor.removeNode(node.id)
  }
}

/// The value that the words of an entitlement stand for.
enum EntitlementValue {
  /// `true` and `false` are truth values; what Apple defines as a list is one, even of one word.
  static func value(_ assignment: EditAssignment) -> PropertyListValue {
    if assignment.isList || isList(assignment.key) {
      return PropertyListValue(.array(assignment.values.map { .string($0) }))
    }
    switch assignment.values.first ?? "" {
    case "true", "YES": return .boolean(true)
    case "false", "NO": return .boolean(false)
    case let text: return .string(text)
    }
  }

  private static func isList(_ key: String) -> Bool { lists.contains(key) }

  /// The entitlements whose type is an array of strings (Apple, "Entitlements" of the bundle resources reference).
  private static let lists: Set<String> = [
    "com.apple.developer.associated-domains", "com.apple.developer.icloud-container-identifiers",
    "com.apple.developer.icloud-services", "com.apple.developer.in-app-payments",
    "com.apple.developer.nfc.readersession.formats", "com.apple.developer.networking.networkextension",
    "com.apple.developer.networking.vpn.api", "com.apple.developer.pass-type-identifiers",
    "com.apple.developer.applesignin", "com.apple.developer.ubiquity-container-identifiers",
    "com.apple.developer.healthkit.access", "com.apple.developer.group-session",
    "com.apple.developer.default-data-protection-classes", "com.apple.security.application-groups",
    "com.apple.security.temporary-exception.files.absolute-path.read-only", "keychain-access-groups",
  ]
}

extension PropertyListValue {
  /// The dictionary with a member set, at its old place or at the end; without it where the value is nil.
  fileprivate func with(_ key: String, _ value: PropertyListValue?) -> PropertyListValue {
    var members = members ?? []
    let index = members.firstIndex { Array($0.key.utf8) == Array(key.utf8) }
    switch (index, value) {
    case (let index?, let value?): members[index] = PropertyListMember(key, value)
    case (let index?, nil): members.remove(at: index)
    case (nil, let value?): members.append(PropertyListMember(key, value))
    case (nil, nil): break
    }
    return PropertyListValue(.dictionary(members))
  }
}

extension ProjectEditor {
  /// The entitlements that a configuration signs with, from the project's folder; nil where it names none.
  ///
  /// - Throws: `edit-variable-path` where the path holds a setting that only the build knows.
  func entitlementsFile(_ target: ID, _ configuration: ID) throws(ProjectEditError) -> String? {
    guard let text = setting("CODE_SIGN_ENTITLEMENTS", in: configuration)?.string, !text.isEmpty else { return nil }
    var path = text
    for (word, value) in [
      ("SRCROOT", ""), ("PROJECT_DIR", ""), ("TARGET_NAME", targetName(target)),
      ("TARGETNAME", targetName(target)), ("CONFIGURATION", self.text(configuration, "name") ?? ""),
    ] {
      for form in ["$(\(word))", "${\(word)}"] { path = path.replacing(value.isEmpty ? form + "/" : form, with: value) }
    }
    guard !path.contains("$") else {
      throw ProjectEditError(.variablePath, ["setting": "CODE_SIGN_ENTITLEMENTS", "path": text])
    }
    return PathWords.plain(path)
  }

  /// The folder that a target's own files are in: of a synchronized group, else of its Info.plist, else by its name.
  func sourceFolder(of target: ID) throws(ProjectEditError) -> String {
    let tree = ProjectTree(draft, from: try mainGroup())
    if let group = list(target, "fileSystemSynchronizedGroups").first, let node = tree[group] { return node.path }
    for configuration in try configurations(.names([target]), []) {
      guard let file = setting("INFOPLIST_FILE", in: configuration)?.string, !file.contains("$"), file.contains("/")
      else { continue }
      return PathWords.folder(PathWords.plain(file))
    }
    return targetName(target)
  }

  /// Changes a file of entitlements, or makes it.
  fileprivate mutating func revise(
    entitlements path: String, _ change: (inout PropertyListValue) -> Void
  ) throws(ProjectEditError) {
    guard let bytes = try file(path) else {
      var root = PropertyListValue(.dictionary([]))
      change(&root)
      return try write(try propertyList(root, path), to: path)
    }
    let revised: [UInt8]
    do throws(ConfigError) {
      let file = try PropertyListFile(bytes, file: path)
      guard file.root.members != nil else {
        throw ConfigError(.plistPath, ["file": path, "path": ""], at: .file(path))
      }
      var root = file.root
      change(&root)
      revised = try file.revised(to: root).bytes
    } catch {
      throw ProjectEditError(error)
    }
    try write(revised, to: path)
  }
}
