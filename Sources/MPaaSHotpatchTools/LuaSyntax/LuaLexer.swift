/// Cuts Lua text into tokens.
///
/// - Source: Lua 5.4 reference manual, section 3.1; `llex.c` for what the manual leaves open.
struct LuaLexer {
  let bytes: [UInt8]
  var offset: Int
  /// Each name once; tokens hold indexes.
  var names: [String] = []
  var nameIndexes: [String: Int64] = [:]
  /// The values of string literals.
  var strings: [[UInt8]] = []
  /// The places of comments, with their dashes.
  var comments: [Range<Int>] = []
  /// The places of long strings: blanks at ends of lines are their content.
  var longStrings: [Range<Int>] = []

  init(_ source: LuaSource) {
    bytes = source.bytes
    offset = source.start
  }

  func byte(_ ahead: Int = 0) -> UInt8? {
    offset + ahead < bytes.count ? bytes[offset + ahead] : nil
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard byte() == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  func error(_ kind: LuaSyntaxError.Kind, _ range: Range<Int>, expected: String = "") -> LuaSyntaxError {
    // Long texts are told by their beginning.
    let shown = range.lowerBound..<min(range.upperBound, range.lowerBound + 40)
    return LuaSyntaxError(kind, range, found: String(decoding: bytes[shown], as: UTF8.self), expected: expected)
  }

  mutating func intern(_ name: String) -> Int64 {
    if let index = nameIndexes[name] { return index }
    let index = Int64(names.count)
    names.append(name)
    nameIndexes[name] = index
    return index
  }

  /// The next token; at the end of the text, `endOfFile` again and again.
  mutating func next() throws(LuaSyntaxError) -> LuaToken {
    try skipBlanks()
    let start = offset
    guard let first = byte() else { return LuaToken(kind: .endOfFile, start: start, end: start) }
    if Self.isNameByte(first) { return Self.isDigit(first) ? try number() : name() }
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try shortString(quote: first)
    case UInt8(ascii: "["):
      if let level = longBracket() { return try longString(level) }
      if byte(1) == UInt8(ascii: "=") {
        throw error(.unexpected, start..<min(start + 2, bytes.count), expected: "'['")
      }
    case UInt8(ascii: "."):
      if let second = byte(1), Self.isDigit(second) { return try number() }
    default: break
    }
    offset += 1
    return LuaToken(kind: sign(first), start: start, end: offset)
  }

  private mutating func sign(_ first: UInt8) -> LuaToken.Kind {
    switch first {
    case UInt8(ascii: "="): return take("=") ? .equal : .assign
    case UInt8(ascii: "<"): return take("=") ? .lessEqual : take("<") ? .shiftLeft : .less
    case UInt8(ascii: ">"): return take("=") ? .greaterEqual : take(">") ? .shiftRight : .greater
    case UInt8(ascii: "/"): return take("/") ? .doubleSlash : .slash
    case UInt8(ascii: "~"): return take("=") ? .notEqual : .tilde
    case UInt8(ascii: ":"): return take(":") ? .doubleColon : .colon
    case UInt8(ascii: "."): return take(".") ? (take(".") ? .dots : .concat) : .dot
    case UInt8(ascii: "+"): return .plus
    case UInt8(ascii: "-"): return .minus
    case UInt8(ascii: "*"): return .star
    case UInt8(ascii: "%"): return .percent
    case UInt8(ascii: "^"): return .caret
    case UInt8(ascii: "#"): return .hash
    case UInt8(ascii: "&"): return .ampersand
    case UInt8(ascii: "|"): return .bar
    case UInt8(ascii: "("): return .openParenthesis
    case UInt8(ascii: ")"): return .closeParenthesis
    case UInt8(ascii: "{"): return .openBrace
    case UInt8(ascii: "}"): return .closeBrace
    case UInt8(ascii: "["): return .openBracket
    case UInt8(ascii: "]"): return .closeBracket
    case UInt8(ascii: ";"): return .semicolon
    case UInt8(ascii: ","): return .comma
    default:
      // The other bytes of the same character belong to it.
      while let next = byte(), next & 0xc0 == 0x80, first >= 0xc0 { offset += 1 }
      return .unknown
    }
  }

  private mutating func name() -> LuaToken {
    let start = offset
    while let next = byte(), Self.isNameByte(next) { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    if let keyword = LuaToken.keywords[text] { return LuaToken(kind: keyword, start: start, end: offset) }
    return LuaToken(kind: .name, start: start, end: offset, payload: intern(text))
  }

  private mutating func skipBlanks() throws(LuaSyntaxError) {
    while let next = byte() {
      if Self.isBlank(next) {
        offset += 1
      } else if next == UInt8(ascii: "-"), byte(1) == UInt8(ascii: "-") {
        try comment()
      } else {
        return
      }
    }
  }

  private mutating func comment() throws(LuaSyntaxError) {
    let start = offset
    offset += 2
    if let level = longBracket() {
      try longText(level, from: start, closing: "]" + String(repeating: "=", count: level) + "]")
    } else {
      while let next = byte(), next != 0x0a, next != 0x0d { offset += 1 }
    }
    comments.append(start..<offset)
  }

  /// The number of `=` between the two brackets that open a long text here; nil where none opens.
  func longBracket() -> Int? {
    guard byte() == UInt8(ascii: "[") else { return nil }
    var level = 0
    while byte(level + 1) == UInt8(ascii: "=") { level += 1 }
    return byte(level + 1) == UInt8(ascii: "[") ? level : nil
  }

  /// Goes past a long text whose opening bracket is next, and gives where its content stands.
  @discardableResult
  mutating func longText(_ level: Int, from start: Int, closing: String) throws(LuaSyntaxError) -> Range<Int> {
    offset += level + 2
    let content = offset
    while let next = byte() {
      offset += 1
      guard next == UInt8(ascii: "]") else { continue }
      var equals = 0
      while byte(equals) == UInt8(ascii: "=") { equals += 1 }
      if equals == level, byte(equals) == UInt8(ascii: "]") {
        let end = offset - 1
        offset += equals + 1
        return content..<end
      }
      offset += equals
    }
    throw error(.unfinishedLongText, start..<min(start + level + 4, bytes.count), expected: "'\(closing)'")
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
  static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }
  static func isNameByte(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- 0x61 < 26 || isDigit(byte) || byte == UInt8(ascii: "_")
  }
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
