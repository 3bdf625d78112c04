/// Literals and directives of C, C++ and Objective-C.
extension TextScanner {
  mutating func cString(at quote: Int) -> Int {
    if byte(quote - 1) == UInt8(ascii: "R"), let end = rawString(at: quote) { return end }
    var offset = quote + 1
    while offset < text.count, text[offset] != UInt8(ascii: "\""), text[offset] != 0x0a {
      offset += text[offset] == UInt8(ascii: "\\") ? escapeLength(offset) : 1
    }
    offset = min(offset, text.count)
    let literal = TextLiteral(kind: .c, content: quote + 1..<max(quote + 1, offset))
    let isClosed = byte(offset) == UInt8(ascii: "\"") && offset < text.count
    let end = offset + (isClosed ? 1 : 0)
    finishLiteral(literal, start: quote, end: end)
    return end
  }

  /// A backslash and what it stands before: a line's end may have two characters.
  private func escapeLength(_ offset: Int) -> Int {
    byte(offset + 1) == 0x0d && byte(offset + 2) == 0x0a ? 3 : 2
  }

  /// C++'s `R"mark(…)mark"`; nil where the word before the quote is longer.
  private mutating func rawString(at quote: Int) -> Int? {
    guard ["R", "LR", "uR", "UR", "u8R"].contains(wordEnding(at: quote)) else { return nil }
    var open = quote + 1
    while open - quote <= 17, byte(open) != UInt8(ascii: "(") { open += 1 }
    guard byte(open) == UInt8(ascii: "(") else { return nil }
    let mark = Array(text[quote + 1..<open])
    var offset = open + 1
    while offset < text.count {
      let close = offset + 1 + mark.count
      if text[offset] == UInt8(ascii: ")"), byte(close) == UInt8(ascii: "\""),
        text[offset + 1..<close].elementsEqual(mark)
      {
        finishLiteral(TextLiteral(kind: .raw, content: open + 1..<offset), start: quote, end: close + 1)
        return close + 1
      }
      offset += 1
    }
    return text.count
  }

  /// A line of the preprocessor, or just a `#`.
  mutating func directive(at start: Int) -> Int {
    var before = start - 1
    while before >= 0, text[before] == 0x20 || text[before] == 0x09 { before -= 1 }
    guard before < 0 || text[before] == 0x0a else {
      if !frames.isEmpty { punctuation(at: start) }
      return start + 1
    }
    let word = directiveWord(start)
    switch string(word) {
    case "define": return definition(word.upperBound)
    case "if" where isZero(word.upperBound): return disabledEnd(lineEnd(word.upperBound))
    default: return lineEnd(word.upperBound)
    }
  }

  private func directiveWord(_ start: Int) -> Range<Int> {
    var first = start + 1
    while byte(first) == 0x20 || byte(first) == 0x09 { first += 1 }
    var end = first
    while SourceBytes.isWord(byte(end)) { end += 1 }
    return first..<end
  }

  /// The end of a logical line; a comment that begins in it is left to be read.
  private func lineEnd(_ start: Int) -> Int {
    var offset = start
    while offset < text.count, text[offset] != 0x0a {
      if text[offset] == UInt8(ascii: "/"), byte(offset + 1) == UInt8(ascii: "*") { return offset }
      offset += text[offset] == UInt8(ascii: "\\") ? escapeLength(offset) : 1
    }
    return min(offset, text.count)
  }

  /// `#define NAME(…)`: its body is read as code, until the logical line ends.
  private mutating func definition(_ start: Int) -> Int {
    var first = start
    while byte(first) == 0x20 || byte(first) == 0x09 { first += 1 }
    var end = first
    while SourceBytes.isWord(byte(end)) { end += 1 }
    var stop = end
    while stop < text.count, text[stop] != 0x0a { stop += text[stop] == UInt8(ascii: "\\") ? escapeLength(stop) : 1 }
    macro = (first..<end, min(stop, text.count))
    guard byte(end) == UInt8(ascii: "(") else { return end }
    while end < stop, byte(end) != UInt8(ascii: ")") { end += 1 }
    return min(end + 1, min(stop, text.count))
  }

  private func isZero(_ offset: Int) -> Bool {
    let start = skipBlank(offset)
    return byte(start) == UInt8(ascii: "0") && !SourceBytes.isWord(byte(start + 1))
  }

  /// The ends of the lines end that `#if 0` takes out.
  private func disabledEnd(_ start: Int) -> Int {
    var offset = start
    var depth = 0
    while offset < text.count {
      guard text[offset] == 0x0a else {
        offset += 1
        continue
      }
      offset += 1
      var first = offset
      while byte(first) == 0x20 || byte(first) == 0x09 { first += 1 }
      guard byte(first) == UInt8(ascii: "#") else { continue }
      let word = directiveWord(first)
      switch string(word) {
      case "if", "ifdef", "ifndef": depth += 1
      case "endif" where depth == 0: return lineEnd(word.upperBound)
      case "endif": depth -= 1
      case "else" where depth == 0, "elif" where depth == 0: return lineEnd(word.upperBound)
      default: break
      }
    }
    return text.count
  }
}
