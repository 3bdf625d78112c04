package import MPaaSSupport

/// A JSON value that knows where it stood; members keep their order, and numbers their digits.
///
/// Two are equal where content, order and places are.
package struct JSONNode: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(JSONNumber)
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

  package var number: JSONNumber? {
    if case .number(let number) = content { number } else { nil }
  }

  package subscript(_ name: String) -> JSONNode? {
    members?.first { $0.name == name }?.value
  }

  /// The same without places and order; numbers are rounded to what 64 bits hold.
  package var value: JSONValue {
    switch content {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let number): number.value
    case .string(let value): .string(value)
    case .array(let elements): .array(elements.map(\.value))
    case .object(let members): .object(JSONValue.Object(members.map { ($0.name, $0.value.value) }) { $1 })
    }
  }
}
