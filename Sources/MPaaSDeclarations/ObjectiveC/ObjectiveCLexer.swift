/// Cuts an Objective-C source into tokens; comments and the preprocessor's lines are passed over.
struct ObjectiveCLexer {
  enum Kind { case word, number, string, mark, end }

  struct Token {
    let kind: Kind
    let range: Range<Int>
    /// The character of a mark; 0 for others.
    let mark: UInt8
  }

  let bytes: UnsafeBufferPointer<UInt8>
  var offset = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
  }

  private func byte(_ position: Int) -> UInt8 { position < bytes.count ? bytes[position] : 0 }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  mutating func next() -> Token {
    skipTrivia()
    let start = offset
    guard start < bytes.count else { return Token(kind: .end, range: start..<start, mark: 0) }
    let first = bytes[start]
    var kind = Kind.mark
    if Characters.isWord(first) {
      while offset < bytes.count, Characters.isWord(bytes[offset]) { offset += 1 }
      kind = Characters.isDigit(first) ? .number : .word
    } else if first == 0x22 || first == 0x27 {
      skipString(first)
      kind = .string
    } else {
      offset += 1
    }
    return Token(kind: kind, range: start..<offset, mark: kind == .mark ? first : 0)
  }

  func peek() -> Token {
    var copy = self
    return copy.next()
  }

  private mutating func skipTrivia() {
    while offset < bytes.count {
      let first = bytes[offset]
      if Characters.isBlank(first) {
        offset += 1
      } else if first == 0x2f, byte(offset + 1) == 0x2f {
        skipLine()
      } else if first == 0x2f, byte(offset + 1) == 0x2a {
        offset += 2
        while offset < bytes.count, !(bytes[offset] == 0x2a && byte(offset + 1) == 0x2f) { offset += 1 }
        offset = min(offset + 2, bytes.count)
      } else if first == 0x23, beginsLine() {
        skipLine()
      } else {
        return
      }
    }
  }

  private func beginsLine() -> Bool {
    var position = offset - 1
    while position >= 0, bytes[position] == 0x20 || bytes[position] == 0x09 { position -= 1 }
    return position < 0 || bytes[position] == 0x0a || bytes[position] == 0x0d || position < 3
  }

  /// Skips to the end of the line, and of those that a backslash joins to it.
  private mutating func skipLine() {
    while offset < bytes.count {
      if bytes[offset] == 0x0a {
        let before = offset > 0 && bytes[offset - 1] == 0x0d ? offset - 2 : offset - 1
        if before < 0 || bytes[before] != 0x5c { return }
      }
      offset += 1
    }
  }

  private mutating func skipString(_ quote: UInt8) {
    offset += 1
    while offset < bytes.count {
      if bytes[offset] == quote {
        offset += 1
        return
      }
      // A string ends with its line, closed or not.
      if bytes[offset] == 0x0a { return }
      offset += bytes[offset] == 0x5c ? 2 : 1
    }
    offset = min(offset, bytes.count)
  }

  private static let braceMarks = ByteSet("{}\"'/#")
  private static let parenthesisMarks = ByteSet("()\"'/#")
  private static let angleMarks = ByteSet("<>;{}\"/")

  /// Skips from an opening bracket to behind the closing one; type arguments that do not end are one character.
  mutating func skipBalanced() {
    let start = offset
    let opening = byte(offset)
    let closing = opening == 0x28 ? UInt8(0x29) : opening + 2
    let marks = opening == 0x28 ? Self.parenthesisMarks : opening == 0x3c ? Self.angleMarks : Self.braceMarks
    var open = 0
    while offset < bytes.count {
      let first = bytes[offset]
      if first == opening {
        open += 1
        offset += 1
      } else if first == closing {
        open -= 1
        offset += 1
        if open == 0 { return }
      } else if opening == 0x3c, [0x3b, 0x7b, 0x7d].contains(first) {
        break
      } else if marks.contains(first) {
        skipLiteral(first)
      } else {
        offset += 1
      }
    }
    if opening == 0x3c { offset = start + 1 }
  }

  private mutating func skipLiteral(_ first: UInt8) {
    let before = offset
    if first == 0x22 || first == 0x27 {
      skipString(first)
    } else {
      skipTrivia()
    }
    if offset == before { offset += 1 }
  }
}
