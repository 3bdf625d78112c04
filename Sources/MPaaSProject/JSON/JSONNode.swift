package import MPaaSSupport

/// A JSON value that knows where it stood; members keep their order.
package struct JSONNode: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number, a whole one as an integer however it was written; `isWhole` where it has neither fraction nor
    /// exponent.
    case number(JSONValue, isWhole: Bool)
    case string(String)
    case array([JSONNode])
    /// No two members have the same name.
    case object([Member])
  }

  package struct Member: Sendable, Equatable {
    package let name: String
    package let value: JSONNode
    /// The place of the name.
    package let position: TextPosition
    /// The comments right above the member, or behind it on its line; lines are joined by newlines.
    package var comment: String?

    package init(name: String, value: JSONNode, position: TextPosition = .start, comment: String? = nil) {
      self.name = name
      self.value = value
      self.position = position
      self.comment = comment
    }
  }

  package let content: Content
  package let position: TextPosition

  package init(_ content: Content, at position: TextPosition = .start) {
    self.content = content
    self.position = position
  }

  package var members: [Member]? {
    if case .object(let members) = content { members } else { nil }
  }

  package var elements: [JSONNode]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  package var string: String? {
    if case .string(let value) = content { value } else { nil }
  }

  package var bool: Bool? {
    if case .bool(let value) = content { value } else { nil }
  }

  package var number: JSONValue? {
    if case .number(let value, _) = content { value } else { nil }
  }

  package subscript(_ name: String) -> JSONNode? {
    members?.first { $0.name == name }?.value
  }

  package var value: JSONValue {
    switch content {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let value, _): value
    case .string(let value): .string(value)
    case .array(let elements): .array(elements.map(\.value))
    case .object(let members): .object(JSONValue.Object(members.map { ($0.name, $0.value.value) }) { $1 })
    }
  }
}

/// A line and a column of a text, both from 1; columns count Unicode scalars.
package struct TextPosition: Sendable, Hashable, Comparable {
  package let line: Int
  package let column: Int

  /// The beginning of a text, and the place of things that stand in none.
  package static let start = TextPosition(line: 1, column: 1)

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
