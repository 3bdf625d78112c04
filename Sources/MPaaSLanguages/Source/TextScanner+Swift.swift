/// Literals of Swift.
extension TextScanner {
  /// A string at its quote, `hashes` of `#` before it.
  mutating func swiftString(at quote: Int, hashes: Int) -> Int {
    let isMultiline = byte(quote + 1) == UInt8(ascii: "\"") && byte(quote + 2) == UInt8(ascii: "\"")
    let start = quote + (isMultiline ? 3 : 1)
    // `#""` is followed by `"` only where three open a literal of many lines.
    let literal = TextLiteral(
      kind: .swift, content: start..<start, hashes: hashes, isMultiline: isMultiline)
    return continueSwiftString(literal, from: start)
  }

  /// Goes to the end of a string, or into its next interpolation.
  mutating func continueSwiftString(_ literal: TextLiteral, from start: Int) -> Int {
    var literal = literal
    var offset = start
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "\""):
        guard closes(literal, offset) else {
          offset += 1
          continue
        }
        let end = offset + (literal.isMultiline ? 3 : 1) + literal.hashes
        return finishSwift(&literal, content: offset, end: end)
      case UInt8(ascii: "\\"):
        guard hasHashes(offset + 1, literal.hashes) else {
          offset += 1
          continue
        }
        let escaped = offset + 1 + literal.hashes
        if byte(escaped) == UInt8(ascii: "(") {
          frames.append(Frame(kind: .interpolation, start: offset, line: 0))
          openLiterals.append(literal)
          return escaped + 1
        }
        // A line's end is not skipped, so that a literal that was never closed ends with its line.
        offset = byte(escaped) == 0x0a && !literal.isMultiline ? escaped : escaped + 1
      case 0x0a where !literal.isMultiline:
        return finishSwift(&literal, content: offset, end: offset)
      default: offset += 1
      }
    }
    return finishSwift(&literal, content: text.count, end: text.count)
  }

  private mutating func finishSwift(_ literal: inout TextLiteral, content end: Int, end whole: Int) -> Int {
    let start = literal.content.lowerBound
    literal.content = min(start, end)..<end
    finishLiteral(literal, start: literal.start, end: whole)
    return min(whole, text.count)
  }

  private func closes(_ literal: TextLiteral, _ offset: Int) -> Bool {
    if literal.isMultiline {
      guard byte(offset + 1) == UInt8(ascii: "\""), byte(offset + 2) == UInt8(ascii: "\"") else { return false }
    }
    return hasHashes(offset + (literal.isMultiline ? 3 : 1), literal.hashes)
  }

  private func hasHashes(_ offset: Int, _ count: Int) -> Bool {
    var index = 0
    while index < count {
      guard byte(offset + index) == UInt8(ascii: "#") else { return false }
      index += 1
    }
    return true
  }

  /// A raw string, an extended regular expression, or a directive.
  mutating func swiftHash(at start: Int) -> Int {
    var offset = start
    while byte(offset) == UInt8(ascii: "#") { offset += 1 }
    if byte(offset) == UInt8(ascii: "\"") { return swiftString(at: offset, hashes: offset - start) }
    if byte(offset) == UInt8(ascii: "/"), byte(offset + 1) != UInt8(ascii: "/") {
      let end = extendedExpressionEnd(offset + 1, hashes: offset - start)
      if !frames.isEmpty { noteOther(start..<end) }
      return end
    }
    if !frames.isEmpty { punctuation(at: start) }
    return offset
  }

  private func extendedExpressionEnd(_ start: Int, hashes: Int) -> Int {
    // A sign that opens none must not send the search through the whole file.
    let limit = min(text.count, start + 4096)
    var offset = start
    while offset < limit {
      if text[offset] == UInt8(ascii: "/"), hasHashes(offset + 1, hashes) { return offset + 1 + hashes }
      offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    return start
  }

  /// The end of a regular expression between slashes; nil where the slash divides.
  func expressionEnd(at start: Int) -> Int? {
    let next = byte(start + 1)
    guard !SourceBytes.isSpace(next), ![0, UInt8(ascii: "="), UInt8(ascii: ")")].contains(next) else { return nil }
    let before = previous(start)
    let opens: Set<UInt8> = Set("(,=:[{!&|?~".utf8)
    guard before < 0 || opens.contains(text[before]) || ["return", "in", "case"].contains(wordEnding(at: before + 1))
    else { return nil }
    var offset = start + 1
    while offset < text.count, text[offset] != 0x0a {
      if text[offset] == UInt8(ascii: "/") { return SourceBytes.isSpace(text[offset - 1]) ? nil : offset + 1 }
      offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }
}
