import MPaaSSupport

/// The place of a token in its file, and its kind.
package struct TokenPosition: Sendable, Equatable {
  /// In bytes.
  package var start: Int
  package var end: Int
  package var kind: TokenKind
  /// True for a place that no clone goes across, and not for a token.
  package var isCut: Bool
}

/// The tokens of one source with their places, for results and tests.
package struct PositionedTokens: Sendable {
  package let tokens: [TokenPosition]
  package let bytes: [UInt8]
  /// The first byte of each line.
  package let lines: [Int]

  package init(_ bytes: [UInt8], _ language: SourceLanguage, ignoresImports: Bool = false) {
    let input = LexerInput(bytes)
    var lexer = Lexer(input, language, ignoresImports: ignoresImports, into: PositionSink())
    lexer.run()
    tokens = lexer.sink.tokens
    self.bytes = bytes
    var lines = [0]
    for (index, byte) in bytes.enumerated() where byte == 0x0a { lines.append(index + 1) }
    self.lines = lines
    _ = consume input
  }

  /// The line of a byte, from 1.
  package func line(_ offset: Int) -> Int {
    var low = 0
    var high = lines.count
    while low < high {
      let middle = (low + high) / 2
      if lines[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The column of a byte in characters of Unicode, from 1.
  package func column(_ offset: Int) -> Int {
    let start = lines[max(line(offset) - 1, 0)]
    return 1 + bytes[start..<max(start, offset)].count { $0 & 0xc0 != 0x80 }
  }

  package func text(_ token: TokenPosition) -> String {
    String(decoding: bytes[token.start..<token.end], as: UTF8.self)
  }
}

private struct PositionSink: TokenSink {
  var tokens: [TokenPosition] = []

  mutating func take(_ kind: TokenKind, _ start: Int, _ end: Int) {
    tokens.append(TokenPosition(start: start, end: end, kind: kind, isCut: false))
  }

  mutating func cut() { tokens.append(TokenPosition(start: 0, end: 0, kind: .symbol, isCut: true)) }
}
