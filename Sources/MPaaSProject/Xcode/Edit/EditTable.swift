import MPaaSJSON
import MPaaSSupport

/// An object of a file of operations, read strictly: what no operation asks for is an error with its line.
struct EditTable: EditInput {
  private let source: JSONSource
  private let node: JSONNode

  init(_ source: JSONSource, _ node: JSONNode) {
    self.source = source
    self.node = node
  }

  var isCommand: Bool { false }

  func place(_ key: String) -> Place {
    source.place(node[key] ?? node)
  }

  /// Refuses keys that are not among `known`.
  func allow(_ known: [String]) throws(ProjectEditError) {
    for member in node.members ?? [] where member.name != "operation" && !known.contains(member.name) {
      let values = [
        "key": member.name, "known": known.joined(separator: ", "),
        "suggestion": closestMatch(to: member.name, among: known) ?? "–",
      ]
      let place = Place.text(file: source.file, line: member.position.line, column: member.position.column)
      throw ProjectEditError(.unknownKey, values, at: place)
    }
  }

  func required(_ key: String) throws(ProjectEditError) -> String {
    if let text = try text(key) { return text }
    throw ProjectEditError(.keyMissing, ["key": key], at: source.place(node))
  }

  // MARK: - Values; nil or nothing where the key is not there

  func text(_ key: String) throws(ProjectEditError) -> String? {
    guard let value = node[key], value.content != .null else { return nil }
    guard let text = Self.text(value) else { throw bad(key, "\"…\"") }
    return text
  }

  /// A list, or one value that stands for a list of one.
  func texts(_ key: String) throws(ProjectEditError) -> [String] {
    guard let value = node[key], value.content != .null else { return [] }
    if let text = Self.text(value) { return [text] }
    guard let elements = value.elements else { throw bad(key, "[\"…\"]") }
    var texts: [String] = []
    for element in elements {
      guard let text = Self.text(element) else { throw bad(key, "[\"…\"]") }
      texts.append(text)
    }
    return texts
  }

  func requiredTexts(_ key: String) throws(ProjectEditError) -> [String] {
    let texts = try texts(key)
    guard !texts.isEmpty else { throw ProjectEditError(.keyMissing, ["key": key], at: source.place(node)) }
    return texts
  }

  func flag(_ key: String, default standard: Bool) throws(ProjectEditError) -> Bool {
    guard let value = node[key], value.content != .null else { return standard }
    guard let flag = value.bool else { throw bad(key, "true") }
    return flag
  }

  func position(_ key: String) throws(ProjectEditError) -> EditPosition? {
    guard let text = try text(key) else { return nil }
    guard let position = EditPosition(text) else { throw bad(key, "first, last, sorted, 3, before:NAME, after:NAME") }
    return position
  }

  func choice<Value: EditChoice>(_ key: String) throws(ProjectEditError) -> Value? {
    guard let text = try text(key) else { return nil }
    guard let value = Value(rawValue: text) else {
      throw bad(key, Value.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return value
  }

  func requiredChoice<Value: EditChoice>(_ key: String) throws(ProjectEditError) -> Value {
    if let value: Value = try choice(key) { return value }
    throw ProjectEditError(.keyMissing, ["key": key], at: place("operation"))
  }

  func content(_ key: String) -> String? { nil }

  /// Paths stand in a file as the project has them.
  func projectPath(_ path: String) -> String { path }

  /// The members of an object, each a text or a list of texts; null for a member without a value.
  func assignments(_ key: String) throws(ProjectEditError) -> [EditAssignment] {
    guard let value = node[key], value.content != .null else { return [] }
    guard let members = value.members else { throw bad(key, "{\"NAME\": \"…\"}") }
    var found: [EditAssignment] = []
    for member in members {
      if let text = Self.text(member.value) {
        found.append(EditAssignment(key: member.name, values: [text], isList: false))
      } else if let elements = member.value.elements {
        let texts = elements.compactMap(Self.text)
        guard texts.count == elements.count else { throw bad(key, "{\"NAME\": [\"…\"]}") }
        found.append(EditAssignment(key: member.name, values: texts, isList: true))
      } else {
        throw bad(key, "{\"NAME\": \"…\"}")
      }
    }
    return found
  }

  /// A project knows texts only: numbers and truth values stand for theirs.
  private static func text(_ node: JSONNode) -> String? {
    switch node.content {
    case .string(let text): text
    case .bool(let value): value ? "YES" : "NO"
    case .number(let number):
      switch number.value {
      case .unsigned(let value): String(value)
      case .negative(let value): String(value)
      default: nil
      }
    default: nil
    }
  }

  private func bad(_ key: String, _ expected: String) -> ProjectEditError {
    ProjectEditError(.badValue, ["key": key, "expected": expected], at: place(key))
  }
}

/// A name and what it is set to.
package struct EditAssignment: Sendable, Equatable {
  package var key: String
  package var values: [String]
  /// Tells whether it is a list, even of one.
  package var isList: Bool

  package init(key: String, values: [String], isList: Bool) {
    self.key = key
    self.values = values
    self.isList = isList
  }

  /// Reads `KEY=VALUE` words; a key that stands there several times has a list.
  ///
  /// A `=` in the brackets of a condition (`ARCHS[sdk=iphoneos*]=arm64`) belongs to the key.
  package static func reading(_ words: [String], asLists: Bool = false) throws(ProjectEditError) -> [EditAssignment] {
    var found: [EditAssignment] = []
    for word in words {
      var depth = 0
      let equals = word.firstIndex { character in
        if character == "[" { depth += 1 }
        if character == "]" { depth -= 1 }
        return character == "=" && depth <= 0
      }
      guard let equals, equals != word.startIndex else {
        throw ProjectEditError(.badWord, ["word": word, "expected": "KEY=VALUE"])
      }
      let (key, value) = (String(word[..<equals]), String(word[word.index(after: equals)...]))
      if let index = found.firstIndex(where: { $0.key == key }) {
        found[index].values.append(value)
        found[index].isList = true
      } else {
        found.append(EditAssignment(key: key, values: [value], isList: asLists))
      }
    }
    return found
  }
}
