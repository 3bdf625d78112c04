package import MPaaSSupport

extension JSONNode {
  /// Creates a value without a place of a value whose members have no order; they are sorted by the bytes of their names.
  package init(_ value: JSONValue) {
    let content: Content =
      switch value {
      case .null: .null
      case .bool(let value): .bool(value)
      case .unsigned(let value): .number(JSONNumber(value))
      case .negative(let value): .number(JSONNumber(value))
      case .number(let value): JSONNumber(value).map { .number($0) } ?? .null
      case .string(let value): .string(value)
      case .array(let elements): .array(elements.map { JSONNode($0) })
      case .object(let members):
        .object(members.sortedByName.map { Member(name: $0.key, value: JSONNode($0.value)) })
      }
    self.init(content)
  }

  /// The value on one line, with its order and its digits.
  package var line: String {
    var text: [UInt8] = []
    append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// The value over several lines, indented by two blanks, without a line end behind it.
  package var indented: String {
    var text: [UInt8] = []
    append(to: &text, depth: 0)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the value as UTF-8.
  ///
  /// - Parameter depth: The depth of the value where lines are indented; nil for one line.
  package func append(to text: inout [UInt8], depth: Int? = nil) {
    switch content {
    case .null: text += "null".utf8
    case .bool(let value): text += (value ? "true" : "false").utf8
    case .number(let number): text += number.text.utf8
    case .string(let value): Self.append(value, to: &text)
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        Self.beginItem(index, to: &text, depth)
        element.append(to: &text, depth: depth.map { $0 + 1 })
      }
      Self.end(UInt8(ascii: "]"), isEmpty: elements.isEmpty, to: &text, depth)
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        Self.beginItem(index, to: &text, depth)
        Self.append(member.name, to: &text)
        text.append(UInt8(ascii: ":"))
        if depth != nil { text.append(UInt8(ascii: " ")) }
        member.value.append(to: &text, depth: depth.map { $0 + 1 })
      }
      Self.end(UInt8(ascii: "}"), isEmpty: members.isEmpty, to: &text, depth)
    }
  }

  /// Appends a string in its quotes; most need nothing else.
  package static func append(_ string: String, to text: inout [UInt8]) {
    let isPlain = string.utf8.allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 != 0x7f
    }
    guard isPlain else { return JSONValue.append(string, to: &text) }
    text.append(UInt8(ascii: "\""))
    text += string.utf8
    text.append(UInt8(ascii: "\""))
  }

  private static func beginItem(_ index: Int, to text: inout [UInt8], _ depth: Int?) {
    if index > 0 { text.append(UInt8(ascii: ",")) }
    if let depth { newLine(depth + 1, to: &text) }
  }

  private static func end(_ byte: UInt8, isEmpty: Bool, to text: inout [UInt8], _ depth: Int?) {
    if let depth, !isEmpty { newLine(depth, to: &text) }
    text.append(byte)
  }

  private static func newLine(_ depth: Int, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\n"))
    text += repeatElement(UInt8(ascii: " "), count: 2 * depth)
  }
}
