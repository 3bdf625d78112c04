/// A line and a column of a text, both from 1; columns count Unicode scalars.
package struct TextPosition: Sendable, Hashable, Comparable {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// JSON as people write it: members keep their order, values know their places, comments belong to what they describe.
///
/// `//` and `/* */` comments and a comma behind the last member or element are allowed, as in Bee's scaffold files.
package struct SourceJSON: Sendable, Equatable {
  package indirect enum Value: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number as it was written, and whether it has neither fraction nor exponent.
    case number(String, isWhole: Bool)
    case string(String)
    case array([SourceJSON])
    case object([Member])
  }

  package struct Member: Sendable, Equatable {
    package let name: String
    package let position: TextPosition
    package let value: SourceJSON
    /// The comments right above the member, or behind it on its line; lines are joined by newlines.
    package var comment: String?
  }

  package let value: Value
  package let position: TextPosition

  package var members: [Member]? {
    if case .object(let members) = value { members } else { nil }
  }

  package var elements: [SourceJSON]? {
    if case .array(let elements) = value { elements } else { nil }
  }

  package var string: String? {
    if case .string(let text) = value { text } else { nil }
  }

  package var bool: Bool? {
    switch value {
    case .bool(let value): value
    case .number(let text, isWhole: true): text == "1" ? true : text == "0" ? false : nil
    default: nil
    }
  }

  /// What the value is, in JSON's own word.
  package var kind: String {
    switch value {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
