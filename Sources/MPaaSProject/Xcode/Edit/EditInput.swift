import MPaaSSupport

/// The parameters of one operation as they are given: an object of a file of operations, or the words of a command.
///
/// Values are nil, empty or the default where nothing is given.
protocol EditInput {
  /// Strictness of commands: they refuse several words of which a file takes the one that counts.
  var isCommand: Bool { get }

  func text(_ key: String) throws(ProjectEditError) -> String?
  func required(_ key: String) throws(ProjectEditError) -> String
  func texts(_ key: String) throws(ProjectEditError) -> [String]
  func requiredTexts(_ key: String) throws(ProjectEditError) -> [String]
  func flag(_ key: String, default standard: Bool) throws(ProjectEditError) -> Bool
  func position(_ key: String) throws(ProjectEditError) -> EditPosition?
  func choice<Value: EditChoice>(_ key: String) throws(ProjectEditError) -> Value?
  func requiredChoice<Value: EditChoice>(_ key: String) throws(ProjectEditError) -> Value
  func assignments(_ key: String) throws(ProjectEditError) -> [EditAssignment]
  /// The content of the file that a word of a command names.
  func content(_ key: String) throws(ProjectEditError) -> String?
  /// A path as the project has it.
  func projectPath(_ path: String) -> String
}

extension EditInput {
  /// Refuses a command in which not exactly one of some parameters is given.
  func expectOne(of keys: String..., expected: String) throws(ProjectEditError) {
    guard isCommand else { return }
    var given: [String] = []
    for key in keys where try !texts(key).isEmpty { given.append(key) }
    guard given.count != 1 else { return }
    let word = try keys.first.map { (key) throws(ProjectEditError) in try text(key) ?? "" } ?? ""
    throw ProjectEditError(.badWord, ["word": word, "expected": expected])
  }
}

/// The words of a command by the parameters that they are given for.
package struct EditWords: EditInput {
  private let words: [String: [String]]
  private let path: (String) -> String
  private let read: (String) throws(ProjectEditError) -> [UInt8]

  /// - Parameters:
  ///   - words: Those of each parameter that is given; `YES` or `NO` for a flag.
  ///   - path: Gives a path as the project has it.
  ///   - read: Reads a file that a word names.
  package init(
    _ words: [String: [String]], path: @escaping (String) -> String,
    read: @escaping (String) throws(ProjectEditError) -> [UInt8]
  ) {
    self.words = words
    self.path = path
    self.read = read
  }

  var isCommand: Bool { true }

  func text(_ key: String) -> String? { words[key]?.first }
  /// The word of a required parameter, without which the parser refuses the command.
  func required(_ key: String) -> String { text(key) ?? "" }
  func texts(_ key: String) -> [String] { words[key] ?? [] }
  func requiredTexts(_ key: String) -> [String] { texts(key) }

  func flag(_ key: String, default standard: Bool) -> Bool { text(key).map { $0 == "YES" } ?? standard }

  func position(_ key: String) -> EditPosition? { text(key).flatMap { EditPosition($0) } }

  func choice<Value: EditChoice>(_ key: String) -> Value? { text(key).flatMap { Value(rawValue: $0) } }

  func requiredChoice<Value: EditChoice>(_ key: String) throws(ProjectEditError) -> Value {
    if let value: Value = choice(key) { return value }
    throw ProjectEditError(.keyMissing, ["key": key])
  }

  /// Reads `KEY=VALUE` words; with `--list` each is a list, even of one word.
  func assignments(_ key: String) throws(ProjectEditError) -> [EditAssignment] {
    try EditAssignment.reading(texts(key), asLists: flag("list", default: false))
  }

  func content(_ key: String) throws(ProjectEditError) -> String? {
    guard let file = text(key) else { return nil }
    return String(decoding: try read(file), as: UTF8.self)
  }

  func projectPath(_ path: String) -> String { self.path(path) }
}
