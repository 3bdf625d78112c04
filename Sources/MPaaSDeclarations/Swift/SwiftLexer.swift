/// Cuts a Swift source into tokens, as far as declarations and types need them.
///
/// A string is one token, whatever is interpolated in it. What is no Swift gives tokens too, only senseless ones.
///
/// Source: "The Swift Programming Language", Lexical Structure; SE-0200 (raw strings), SE-0354 (regex literals).
package struct SwiftLexer {
  package enum Kind: Sendable { case word, number, string, regex, arrow, directive, mark, end }

  package struct Token: Sendable {
    package let kind: Kind
    package let range: Range<Int>
    /// The character of a mark; 0 for others.
    package let mark: UInt8
    /// Tells whether it is the first on its line.
    package let startsLine: Bool
  }

  /// The greatest depth of strings in each other's interpolations.
  private static let deepest = 64

  let bytes: UnsafeBufferPointer<UInt8>
  /// The place where the next token is looked for.
  package var offset = 0
  private var depth = 0

  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    // A script's first line.
    if bytes.count > 1, bytes[0] == 0x23, bytes[1] == 0x21 { skipLine() }
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
  }

  private func byte(_ position: Int) -> UInt8 { position < bytes.count ? bytes[position] : 0 }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  package mutating func next() -> Token {
    let startsLine = skipTrivia()
    let start = offset
    guard start < bytes.count else { return Token(kind: .end, range: start..<start, mark: 0, startsLine: startsLine) }
    let first = bytes[start]
    func token(_ kind: Kind, _ mark: UInt8 = 0) -> Token {
      Token(kind: kind, range: start..<offset, mark: mark, startsLine: startsLine)
    }
    if Characters.isDigit(first) {
      skipNumber()
      return token(.number)
    }
    if Characters.isWord(first) {
      skipWord()
      return token(.word)
    }
    switch first {
    case 0x60:
      offset += 1
      while offset < bytes.count, bytes[offset] != 0x60, bytes[offset] != 0x0a { offset += 1 }
      offset = min(offset + 1, bytes.count)
      return token(.word)
    case 0x22:
      skipString(hashes: 0)
      return token(.string)
    case 0x23: return token(skipHash())
    case 0x2f where skipRegex(hashes: 0): return token(.regex)
    case 0x2d where byte(start + 1) == 0x3e:
      offset += 2
      return token(.arrow)
    default:
      offset += 1
      return token(.mark, first)
    }
  }

  /// The next token, which stays the next.
  func peek() -> Token {
    var copy = self
    return copy.next()
  }

  private mutating func skipWord() {
    while offset < bytes.count, Characters.isWord(bytes[offset]) { offset += 1 }
  }

  private mutating func skipNumber() {
    while offset < bytes.count {
      if Characters.isWord(bytes[offset]) {
        offset += 1
      } else if bytes[offset] == 0x2e, Characters.isDigit(byte(offset + 1)) {
        offset += 1
      } else {
        return
      }
    }
  }

  mutating func skipLine() {
    while offset < bytes.count, bytes[offset] != 0x0a { offset += 1 }
  }

  /// Skips blanks and comments; whether a line ended there, or the source begins.
  private mutating func skipTrivia() -> Bool {
    var startsLine = offset == 0
    while offset < bytes.count {
      let first = bytes[offset]
      if Characters.isBlank(first) {
        if first == 0x0a { startsLine = true }
        offset += 1
      } else if first == 0x2f, byte(offset + 1) == 0x2f {
        skipLine()
      } else if first == 0x2f, byte(offset + 1) == 0x2a {
        let start = offset
        skipComment()
        if bytes[start..<min(offset, bytes.count)].contains(0x0a) { startsLine = true }
      } else {
        break
      }
    }
    return startsLine
  }

  /// Skips a comment in which others may nest.
  private mutating func skipComment() {
    var open = 1
    offset += 2
    while offset < bytes.count, open > 0 {
      let first = bytes[offset]
      if first == 0x2a, byte(offset + 1) == 0x2f {
        open -= 1
        offset += 2
      } else if first == 0x2f, byte(offset + 1) == 0x2a {
        open += 1
        offset += 2
      } else {
        offset += 1
      }
    }
  }

  /// Skips a token that begins with `#`: a raw string or regex, or a directive.
  private mutating func skipHash() -> Kind {
    var end = offset
    while byte(end) == 0x23 { end += 1 }
    let hashes = end - offset
    if byte(end) == 0x22 {
      offset = end
      skipString(hashes: hashes)
      return .string
    }
    if byte(end) == 0x2f {
      offset = end
      if skipRegex(hashes: hashes) { return .regex }
    }
    offset = max(end, offset)
    skipWord()
    return .directive
  }

  private func hasHashes(_ count: Int, at position: Int) -> Bool {
    var rest = count
    while rest > 0, byte(position + count - rest) == 0x23 { rest -= 1 }
    return rest == 0
  }

  private static let stringMarks = ByteSet("\"\\\n")

  /// Skips a string from its quote on; `hashes` stand before it.
  private mutating func skipString(hashes: Int) {
    let isLong = byte(offset + 1) == 0x22 && byte(offset + 2) == 0x22
    // `""` is an empty string; `"""` opens a long one, but not in a raw string `#"""#`.
    let isEmptyRaw = isLong && hashes > 0 && hasHashes(hashes, at: offset + 3) && hashes > 0
    let quotes = isLong && !isEmptyRaw ? 3 : 1
    offset += quotes
    let marks = Self.stringMarks
    while offset < bytes.count {
      let first = bytes[offset]
      guard marks.contains(first) else {
        offset += 1
        continue
      }
      if first == 0x22 {
        let isEnd = quotes == 1 || (byte(offset + 1) == 0x22 && byte(offset + 2) == 0x22)
        if isEnd, hasHashes(hashes, at: offset + quotes) {
          offset = min(offset + quotes + hashes, bytes.count)
          return
        }
        offset += 1
      } else if first == 0x5c {
        skipEscape(hashes: hashes)
      } else {
        // A string of one line that never ends: the compiler refuses it too.
        if quotes == 1 { return }
        offset += 1
      }
    }
  }

  private mutating func skipEscape(hashes: Int) {
    guard hasHashes(hashes, at: offset + 1) else {
      offset += 1
      return
    }
    offset = min(offset + 1 + hashes, bytes.count)
    guard byte(offset) == 0x28, depth < Self.deepest else {
      offset = min(offset + 1, bytes.count)
      return
    }
    depth += 1
    skipBalanced()
    depth -= 1
  }

  private static let regexMarks = ByteSet("/\\\n")
  /// The bytes before an expression.
  private static let beforeRegex = ByteSet("(,=:[{;!&|?+-*<>^~%\n")
  private static let wordsBeforeRegex: Set<String> = [
    "return", "case", "in", "where", "try", "await", "if", "while", "switch", "throw", "let", "var", "is", "as",
  ]

  /// Skips a regex literal whose first slash is here; false where that is an operator.
  private mutating func skipRegex(hashes: Int) -> Bool {
    let after = byte(offset + 1)
    if hashes == 0 {
      guard !Characters.isBlank(after), after != 0x3d, after != 0x29, standsBeforeExpression() else { return false }
    }
    // `#/` and a line end open a regex of several lines.
    let isLong = hashes > 0 && (after == 0x0a || after == 0x0d)
    var position = offset + 1
    while position < bytes.count {
      let first = bytes[position]
      guard Self.regexMarks.contains(first) else {
        position += 1
        continue
      }
      if first == 0x5c {
        position += 2
      } else if first == 0x0a {
        guard isLong else { return false }
        position += 1
      } else if hasHashes(hashes, at: position + 1) {
        offset = min(position + 1 + hashes, bytes.count)
        return true
      } else {
        position += 1
      }
    }
    return false
  }

  private func standsBeforeExpression() -> Bool {
    var position = offset - 1
    while position >= 0, bytes[position] == 0x20 || bytes[position] == 0x09 { position -= 1 }
    guard position >= 0 else { return true }
    if Self.beforeRegex.contains(bytes[position]) { return true }
    var start = position
    while start >= 0, Characters.isWord(bytes[start]) { start -= 1 }
    return Self.wordsBeforeRegex.contains(text(start + 1..<position + 1))
  }

  private static let braceMarks = ByteSet("{}\"/#")
  private static let parenthesisMarks = ByteSet("()\"/#")
  private static let bracketMarks = ByteSet("[]\"/#")

  /// Skips from an opening bracket to behind the closing one.
  mutating func skipBalanced() {
    let opening = byte(offset)
    let closing = opening == 0x28 ? UInt8(0x29) : opening + 2
    let marks = opening == 0x28 ? Self.parenthesisMarks : opening == 0x5b ? Self.bracketMarks : Self.braceMarks
    var open = 0
    while offset < bytes.count {
      let first = bytes[offset]
      if !marks.contains(first) {
        offset += 1
      } else if first == opening {
        open += 1
        offset += 1
      } else if first == closing {
        open -= 1
        offset += 1
        if open == 0 { return }
      } else {
        skipLiteral(first)
      }
    }
  }

  /// Skips the string, comment, regex or directive that begins with `first`, or that character alone.
  private mutating func skipLiteral(_ first: UInt8) {
    if first == 0x22 {
      skipString(hashes: 0)
    } else if first == 0x23 {
      _ = skipHash()
    } else if byte(offset + 1) == 0x2f {
      skipLine()
    } else if byte(offset + 1) == 0x2a {
      skipComment()
    } else if !skipRegex(hashes: 0) {
      offset += 1
    }
  }

  /// Skips type parameters from `<` to behind their `>`; nothing where they do not end.
  mutating func skipAngles() {
    let start = offset
    var open = 0
    while true {
      let token = next()
      switch (token.kind, token.mark) {
      case (.end, _), (.mark, 0x7b), (.mark, 0x7d), (.mark, 0x3b):
        offset = start + 1
        return
      case (.mark, 0x3c): open += 1
      case (.mark, 0x3e):
        open -= 1
        if open == 0 { return }
      case (.mark, 0x28), (.mark, 0x5b):
        offset = token.range.lowerBound
        skipBalanced()
      default: break
      }
    }
  }
}
