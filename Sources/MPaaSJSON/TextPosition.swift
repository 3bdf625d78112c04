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
