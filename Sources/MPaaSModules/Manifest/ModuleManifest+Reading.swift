import MPaaSSupport
package import MPaaSTOML

extension ModuleManifest {
  /// Reads the text of a `module.toml`.
  ///
  /// Unknown keys are ignored; `unknownKeys(in:)` names them.
  ///
  /// - Parameter file: What errors name.
  /// - Throws: `ModuleError` `toml-malformed`, `module-field-missing`, `module-field-type`, `module-field-text`,
  ///   `module-name`, `module-version`, `module-requirement`, `module-platform`, `module-path`.
  package init(reading text: String, file: String = "module.toml") throws(ModuleError) {
    try self.init(reading: try Self.document(text, file: file), file: file)
  }

  /// The same of a text that was read already.
  package init(reading document: TOMLDocument, file: String) throws(ModuleError) {
    let top = ManifestFields(document.values, .init(file: file, document: document))
    let module = try top.required(try top.table("module"), "module")
    let name = try module.required(try module.string("name"), "name")
    guard ModuleName.isValid(name) else { throw module.error(.badName, "name", ["value": name]) }
    self.init(name: name, version: try module.required(try module.version("version"), "version"))
    summary = try module.text("summary") ?? LocalizedText()
    license = try module.string("license")
    homepage = try module.string("homepage")
    try readParts(of: top, isStrict: true)
  }

  package static func document(_ text: String, file: String) throws(ModuleError) -> TOMLDocument {
    do { return try TOMLDocument(text, file: file) } catch { throw ModuleError(error) }
  }

  /// Reads all that stands in `module.toml` outside `[module]`.
  ///
  /// - Parameter isStrict: Whether a system that this version does not know is an error. An index may tell of such: what
  ///   is only for them is left out.
  mutating func readParts(of top: ManifestFields, isStrict: Bool) throws(ModuleError) {
    notes = try top.text("notes") ?? LocalizedText()
    if let fields = try top.table("platforms") {
      for key in fields.names {
        guard let platform = ModulePlatform(rawValue: key) else {
          if isStrict { throw fields.error(.badPlatform, key, ["value": key]) }
          continue
        }
        platforms[platform] = try fields.version(key)
      }
    }
    if let fields = try top.table("dependencies") {
      for key in fields.names {
        if let dependency = try Self.dependency(key, in: fields, isStrict) { dependencies.append(dependency) }
      }
    }
    if let fields = try top.table("conflicts") {
      for key in fields.names {
        try Self.check(name: key, in: fields)
        conflicts.append(ModuleConflict(key, try fields.required(try fields.requirement(key), key)))
      }
    }
    if let fields = try top.table("contents") { contents = try ModuleContents(fields) }
    if let fields = try top.table("link") { link = try LinkSettings(fields) }
  }

  private static func check(name: String, in fields: ManifestFields) throws(ModuleError) {
    guard ModuleName.isValid(name) else { throw fields.error(.badName, name, ["value": name]) }
  }

  /// `NAME = "requirement"`, or a table with `version`, `platforms` and `optional`.
  ///
  /// - Returns: nil where it is for none of the systems that are known.
  private static func dependency(
    _ name: String, in fields: ManifestFields, _ isStrict: Bool
  ) throws(ModuleError) -> ModuleDependency? {
    try check(name: name, in: fields)
    if fields.members[name]?.string != nil {
      return try fields.requirement(name).map { ModuleDependency(name, $0) }
    }
    guard let table = try fields.table(name) else { return nil }
    var dependency = ModuleDependency(name, try table.requirement("version") ?? .all)
    dependency.isOptional = try table.bool("optional") ?? false
    let words = try table.strings("platforms")
    for word in words {
      if let platform = ModulePlatform(rawValue: word) {
        dependency.platforms.insert(platform)
      } else if isStrict {
        throw table.error(.badPlatform, "platforms", ["value": word])
      }
    }
    return dependency.platforms.isEmpty && !words.isEmpty ? nil : dependency
  }
}

extension ModuleContents {
  fileprivate init(_ fields: ManifestFields) throws(ModuleError) {
    self.init()
    for (key, list) in Self.lists {
      let paths = try fields.strings(key)
      for path in paths where !ModulePath.isValid(path) { throw fields.error(.badPath, key, ["value": path]) }
      self[keyPath: list] = paths
    }
  }

  /// The lists by their keys, in the order in which they are written.
  package static var lists: [(key: String, list: WritableKeyPath<ModuleContents, [String]>)] {
    [
      ("frameworks", \.frameworks), ("xcframeworks", \.xcframeworks), ("libraries", \.libraries),
      ("sources", \.sources), ("bundles", \.bundles), ("headers", \.headers),
    ]
  }
}

extension LinkSettings {
  fileprivate init(_ fields: ManifestFields) throws(ModuleError) {
    self.init()
    for (key, list) in Self.lists { self[keyPath: list] = try fields.strings(key) }
  }

  /// The lists by their keys, in the order in which they are written.
  package static var lists: [(key: String, list: WritableKeyPath<LinkSettings, [String]>)] {
    [
      ("libraries", \.libraries), ("frameworks", \.frameworks), ("weak-frameworks", \.weakFrameworks),
      ("flags", \.flags),
    ]
  }
}
