import MPaaSSupport
import MPaaSTOML

/// A table of a project's file, read strictly: an unknown member is an error with its line.
struct ProjectTable {
  let document: TOMLDocument
  let file: String
  /// The keys that lead to it.
  let path: [String]
  let members: JSONValue.Object

  init(_ document: TOMLDocument, file: String) {
    self.init(document: document, file: file, path: [], members: document.values)
  }

  private init(document: TOMLDocument, file: String, path: [String], members: JSONValue.Object) {
    self.document = document
    self.file = file
    self.path = path
    self.members = members
  }

  /// The keys in the order of the file.
  var keys: [String] {
    members.keys.sorted { one, other in
      let (first, second) = (line(one) ?? .max, line(other) ?? .max)
      return first == second ? one < other : first < second
    }
  }

  func line(_ key: String) -> Int? { document.line(of: path + [key]) }

  func place(_ key: String) -> Place {
    line(key).map { .text(file: file, line: $0, column: nil) } ?? .file(file)
  }

  /// Refuses keys that are not among `known`.
  func allow(_ known: [String]) throws(ModuleError) {
    for key in keys where !known.contains(key) {
      let near = closestMatch(to: key, among: known)
      let values = ["key": dotted(key), "suggestion": near ?? "", "known": known.joined(separator: ", ")]
      throw ModuleError(near == nil ? .projectUnknownKey : .projectUnknownKeyNear, values, at: place(key))
    }
  }

  func error(_ code: ModuleError.Code, _ key: String, _ values: [String: String] = [:]) -> ModuleError {
    ModuleError(code, ["key": dotted(key)].merging(values) { $1 }, at: place(key))
  }

  /// - Parameter expected: An example of what may stand there.
  func badValue(_ key: String, expected: String) -> ModuleError {
    let value = members[key].map { $0.string ?? $0.line } ?? ""
    return error(.projectBadValue, key, ["value": String(value.prefix(80)), "expected": expected])
  }

  private func dotted(_ key: String) -> String { (path + [key]).map(TOMLKey.written).joined(separator: ".") }

  // MARK: - Values; nil where the key is not there

  func table(_ key: String) throws(ModuleError) -> ProjectTable? {
    guard let value = members[key] else { return nil }
    guard let members = value.object else { throw badValue(key, expected: "[\(dotted(key))]") }
    return ProjectTable(document: document, file: file, path: path + [key], members: members)
  }

  func text(_ key: String, expected: String) throws(ModuleError) -> String? {
    guard let value = members[key] else { return nil }
    guard let text = value.string, !text.isEmpty, text.isPlainText else { throw badValue(key, expected: expected) }
    return text
  }

  func texts(_ key: String, expected: String) throws(ModuleError) -> [String] {
    guard let value = members[key] else { return [] }
    guard let elements = value.array else { throw badValue(key, expected: expected) }
    var texts: [String] = []
    for element in elements {
      guard let text = element.string, !text.isEmpty, text.isPlainText else { throw badValue(key, expected: expected) }
      texts.append(text)
    }
    return texts
  }

  func choice<Value: RawRepresentable<String> & CaseIterable>(_ key: String) throws(ModuleError) -> Value? {
    guard let value = members[key] else { return nil }
    guard let choice = value.string.flatMap(Value.init(rawValue:)) else {
      throw badValue(key, expected: Value.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
    }
    return choice
  }

  func version(_ key: String) throws(ModuleError) -> ModuleVersion? {
    guard let value = members[key] else { return nil }
    guard let version = value.string.flatMap(ModuleVersion.init) else { throw badValue(key, expected: "\"13.0\"") }
    return version
  }
}
