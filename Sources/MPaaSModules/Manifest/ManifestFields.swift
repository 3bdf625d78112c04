package import MPaaSSupport
import MPaaSTOML

/// A table of `module.toml` or an object of an index while it is read.
///
/// Members without a question are ignored, so that later versions can add some.
struct ManifestFields {
  /// The source of the values, for errors.
  struct Source {
    let file: String
    /// The text where it is TOML, whose lines can be named.
    var document: TOMLDocument?

    /// An error that names the key at `path`.
    func error(_ code: ModuleError.Code, _ path: [String], _ values: [String: String] = [:]) -> ModuleError {
      let values = values.merging(["file": file, "key": path.joined(separator: ".")]) { $1 }
      // A key that is missing has no line, but what it is missing in does.
      for count in stride(from: path.count, to: 0, by: -1) {
        guard let line = document?.line(of: Array(path.prefix(count))) else { continue }
        return ModuleError(code, values, at: .text(file: file, line: line, column: nil))
      }
      return ModuleError(code, values, at: .file(file))
    }
  }

  let source: Source
  let path: [String]
  let members: JSONValue.Object

  /// - Throws: `ModuleError` `module-field-type` where `value` is no table.
  init(_ value: JSONValue, _ source: Source, path: [String]) throws(ModuleError) {
    guard let members = value.object else { throw Self.wrongType(value, "table", source, path) }
    self.init(members, source, path: path)
  }

  init(_ members: JSONValue.Object, _ source: Source, path: [String] = []) {
    self.members = members
    self.source = source
    self.path = path
  }

  /// The member names in a stable order.
  var names: [String] { members.keys.sorted() }

  func error(_ code: ModuleError.Code, _ key: String, _ values: [String: String] = [:]) -> ModuleError {
    source.error(code, path + [key], values)
  }

  private static func wrongType(_ value: JSONValue, _ wanted: String, _ source: Source, _ path: [String]) -> ModuleError
  {
    source.error(.fieldType, path, ["found": value.kind, "wanted": wanted])
  }

  private func wrongType(_ key: String, _ wanted: String) -> ModuleError {
    Self.wrongType(members[key] ?? .null, wanted, source, path + [key])
  }

  /// The table `key`; nil where there is none.
  func table(_ key: String) throws(ModuleError) -> ManifestFields? {
    guard let value = members[key] else { return nil }
    return try ManifestFields(value, source, path: path + [key])
  }

  func required<Value>(_ value: Value?, _ key: String) throws(ModuleError) -> Value {
    guard let value else { throw error(.fieldMissing, key) }
    return value
  }

  /// The one-line text `key`, not empty and without control characters; nil where there is none.
  func string(_ key: String) throws(ModuleError) -> String? {
    guard let value = members[key] else { return nil }
    guard let text = value.string else { throw wrongType(key, "string") }
    return try plain(text, key)
  }

  private func plain(_ text: String, _ key: String) throws(ModuleError) -> String {
    guard !text.isEmpty, text.isPlainText else { throw error(.fieldText, key) }
    return text
  }

  /// The one-line text `key`, which may be empty; nil where there is none.
  func remark(_ key: String) throws(ModuleError) -> String? {
    members[key] == .string("") ? "" : try string(key)
  }

  /// The list of one-line texts `key`; empty where there is none.
  func strings(_ key: String) throws(ModuleError) -> [String] {
    guard let value = members[key] else { return [] }
    guard let elements = value.array else { throw wrongType(key, "array") }
    var strings: [String] = []
    strings.reserveCapacity(elements.count)
    for element in elements {
      guard let text = element.string else { throw wrongType(key, "array of strings") }
      strings.append(try plain(text, key))
    }
    return strings
  }

  func bool(_ key: String) throws(ModuleError) -> Bool? {
    guard let value = members[key] else { return nil }
    guard let bool = value.bool else { throw wrongType(key, "boolean") }
    return bool
  }

  /// A whole number from 0.
  func unsigned(_ key: String) throws(ModuleError) -> UInt64? {
    guard let value = members[key] else { return nil }
    guard let number = value.integer(UInt64.self) else { throw wrongType(key, "whole number") }
    return number
  }

  func version(_ key: String) throws(ModuleError) -> ModuleVersion? {
    guard let text = try string(key) else { return nil }
    guard let version = ModuleVersion(text) else { throw error(.badVersion, key, ["value": text]) }
    return version
  }

  func requirement(_ key: String) throws(ModuleError) -> VersionRequirement? {
    guard let text = try string(key) else { return nil }
    guard let requirement = VersionRequirement(text) else { throw error(.badRequirement, key, ["value": text]) }
    return requirement
  }

  /// A text in one or both languages; a string alone is English.
  func text(_ key: String) throws(ModuleError) -> LocalizedText? {
    guard let value = members[key] else { return nil }
    if value.string != nil { return LocalizedText(english: try lines(key)) }
    let fields = try ManifestFields(value, source, path: path + [key])
    return LocalizedText(english: try fields.lines("en"), simplifiedChinese: try fields.lines("zh-Hans"))
  }

  /// The text `key` of one or more lines; nil where there is none or it is empty.
  ///
  /// It is shown on terminals, so nothing in it may steer one.
  private func lines(_ key: String) throws(ModuleError) -> String? {
    guard let value = members[key] else { return nil }
    guard let text = value.string else { throw wrongType(key, "string") }
    guard text.split(separator: "\n").allSatisfy({ String($0).isPlainText }) else { throw error(.fieldText, key) }
    return text.isEmpty ? nil : text
  }
}

extension ModuleError.Code {
  package static var fieldMissing: Self { malformed("module-field-missing") }
  package static var fieldType: Self { malformed("module-field-type") }
  package static var fieldText: Self { malformed("module-field-text") }
  package static var badName: Self { malformed("module-name") }
  package static var badVersion: Self { malformed("module-version") }
  package static var badRequirement: Self { malformed("module-requirement") }
  package static var badPlatform: Self { malformed("module-platform") }
  package static var badPath: Self { malformed("module-path") }
}
