package import MPaaSJSON

extension JSONNode {
  /// Creates an object without places; members without a value are left out.
  package static func members(_ members: [(String, JSONNode?)]) -> JSONNode {
    JSONNode(.object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } }))
  }

  package static func text(_ text: String) -> JSONNode { JSONNode(.string(text)) }
  package static func flag(_ flag: Bool) -> JSONNode { JSONNode(.bool(flag)) }
  package static func whole(_ value: some BinaryInteger) -> JSONNode { JSONNode(.number(JSONNumber(value))) }
  package static func list(_ elements: [JSONNode]) -> JSONNode { JSONNode(.array(elements)) }
  package static var null: JSONNode { JSONNode(.null) }

  /// A number; null where it is not finite.
  package static func number(_ value: Double) -> JSONNode {
    if let whole = Int(exactly: value) { return .whole(whole) }
    return JSONNumber(value).map { JSONNode(.number($0)) } ?? .null
  }

  package var isNull: Bool { content == .null }

  /// The word for the kind of the value in errors.
  package var kind: String {
    switch content {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// Tells whether two values are the same, whatever their places and the order of their members.
  package func isSame(as other: JSONNode) -> Bool {
    switch (content, other.content) {
    case (.null, .null): return true
    case (.bool(let one), .bool(let other)): return one == other
    case (.number(let one), .number(let other)): return one == other
    case (.string(let one), .string(let other)): return one.utf8.elementsEqual(other.utf8)
    case (.array(let one), .array(let other)):
      return one.count == other.count && zip(one, other).allSatisfy { $0.isSame(as: $1) }
    case (.object(let one), .object(let others)):
      guard one.count == others.count else { return false }
      return one.allSatisfy { member in other[member.name].map { member.value.isSame(as: $0) } ?? false }
    default: return false
    }
  }

  /// The value with a member that is set, replaced or, where nil, removed.
  package func setting(_ name: String, _ value: JSONNode?) -> JSONNode {
    guard var members else { return self }
    let index = members.firstIndex { $0.name == name }
    switch (index, value) {
    case (let index?, let value?): members[index] = Member(name: name, value: value)
    case (let index?, nil): members.remove(at: index)
    case (nil, let value?): members.append(Member(name: name, value: value))
    case (nil, nil): break
    }
    return JSONNode(.object(members), at: position)
  }

  /// The text of a string, and of all else its JSON.
  package var plainText: String { string ?? line }
}

extension JSONNode {
  /// The greatest depth of the JSON that is taken from outside.
  package static let greatestDepth = 512

  /// Reads a document of UTF-8; nil where it is none.
  package static func reading(_ bytes: [UInt8]) -> JSONNode? {
    try? JSONSource(parsing: bytes, file: "", depth: greatestDepth).root
  }
}

extension JSONSyntaxError {
  /// The fault and what it is about, for people who read English.
  var words: String { [code.rawValue, detail].filter { !$0.isEmpty }.joined(separator: " ") }
}
