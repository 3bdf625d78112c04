/// The part that a token plays when code is compared.
package enum TokenKind: UInt8, Sendable {
  case symbol, word, keyword, number, string
  /// Text of a document, such as that between tags.
  case text
}

/// A receiver of tokens as a lexer finds them.
protocol TokenSink {
  /// Takes the token of the bytes from `start` to before `end`.
  mutating func take(_ kind: TokenKind, _ start: Int, _ end: Int)
  /// Takes a place that no clone goes across: where code was hidden.
  mutating func cut()
}
