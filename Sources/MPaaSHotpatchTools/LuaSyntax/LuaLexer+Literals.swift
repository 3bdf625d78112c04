extension LuaLexer {
  // MARK: Numbers

  /// A numeral: whole and within 64 bits it is an integer, else a float; hexadecimal integers wrap around.
  mutating func number() throws(LuaSyntaxError) -> LuaToken {
    let start = offset
    let isHex = byte() == UInt8(ascii: "0") && byte(1).map { $0 | 0x20 == UInt8(ascii: "x") } == true
    if isHex { offset += 2 }
    let mark = UInt8(ascii: isHex ? "p" : "e")
    while let next = byte() {
      if next | 0x20 == mark {
        offset += 1
        if byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-") { offset += 1 }
      } else if Self.isHexDigit(next) || next == UInt8(ascii: ".") {
        offset += 1
      } else {
        break
      }
    }
    // A letter that touches the numeral spoils it.
    if let next = byte(), Self.isNameByte(next) {
      while let next = byte(), Self.isNameByte(next) { offset += 1 }
      throw error(.malformedNumber, start..<offset)
    }
    guard let isWhole = Self.isWholeNumeral(bytes[start..<offset], isHex: isHex) else {
      throw error(.malformedNumber, start..<offset)
    }
    var token = LuaToken(kind: .float, start: start, end: offset)
    if isWhole, let value = Self.integer(bytes[start..<offset], isHex: isHex) {
      token.kind = .integer
      token.payload = value
    } else {
      token.number = Double(String(decoding: bytes[start..<offset], as: UTF8.self)) ?? .nan
    }
    return token
  }

  /// Tells whether a numeral has neither fraction nor exponent; nil where it is no numeral.
  private static func isWholeNumeral(_ text: ArraySlice<UInt8>, isHex: Bool) -> Bool? {
    var rest = isHex ? text.dropFirst(2) : text
    func digits(_ isOne: (UInt8) -> Bool) -> Int {
      let count = rest.prefix(while: isOne).count
      rest = rest.dropFirst(count)
      return count
    }
    var count = digits(isHex ? isHexDigit : isDigit)
    var isWhole = true
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      isWhole = false
      count += digits(isHex ? isHexDigit : isDigit)
    }
    guard count > 0 else { return nil }
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: isHex ? "p" : "e") {
      rest = rest.dropFirst()
      isWhole = false
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
      guard digits(isDigit) > 0 else { return nil }
    }
    return rest.isEmpty ? isWhole : nil
  }

  private static func integer(_ text: ArraySlice<UInt8>, isHex: Bool) -> Int64? {
    if isHex {
      let value = text.dropFirst(2).reduce(UInt64(0)) { ($0 << 4) | UInt64(hexValue($1)) }
      return Int64(bitPattern: value)
    }
    return Int64(String(decoding: text, as: UTF8.self))
  }

  private static func hexValue(_ byte: UInt8) -> UInt8 {
    isDigit(byte) ? byte - 0x30 : (byte | 0x20) &- 0x61 &+ 10
  }

  // MARK: Strings

  mutating func longString(_ level: Int) throws(LuaSyntaxError) -> LuaToken {
    let start = offset
    let closing = "]" + String(repeating: "=", count: level) + "]"
    var content = try longText(level, from: start, closing: closing)
    longStrings.append(start..<offset)
    // A line's end right behind the bracket is no content; others are taken as they are.
    let lineEnd = bytes[content].prefix(2)
    if let first = lineEnd.first, first == 0x0a || first == 0x0d {
      let isPair = lineEnd.count == 2 && lineEnd.last != first && (lineEnd.last == 0x0a || lineEnd.last == 0x0d)
      content = content.lowerBound + (isPair ? 2 : 1)..<content.upperBound
    }
    return stringToken(Array(bytes[content]), start)
  }

  private mutating func stringToken(_ value: [UInt8], _ start: Int) -> LuaToken {
    strings.append(value)
    return LuaToken(kind: .string, start: start, end: offset, payload: Int64(strings.count - 1))
  }

  mutating func shortString(quote: UInt8) throws(LuaSyntaxError) -> LuaToken {
    let start = offset
    offset += 1
    var value: [UInt8] = []
    while let next = byte() {
      if next == quote {
        offset += 1
        return stringToken(value, start)
      }
      if next == 0x0a || next == 0x0d { break }
      offset += 1
      if next == UInt8(ascii: "\\") { try escape(into: &value) } else { value.append(next) }
    }
    throw error(.unfinishedString, start..<offset, expected: "'\(Character(Unicode.Scalar(quote)))'")
  }

  /// Reads the characters behind a backslash.
  private mutating func escape(into value: inout [UInt8]) throws(LuaSyntaxError) {
    let start = offset - 1
    guard let next = byte() else { return }
    offset += 1
    switch next {
    case UInt8(ascii: "a"): value.append(0x07)
    case UInt8(ascii: "b"): value.append(0x08)
    case UInt8(ascii: "f"): value.append(0x0c)
    case UInt8(ascii: "n"): value.append(0x0a)
    case UInt8(ascii: "r"): value.append(0x0d)
    case UInt8(ascii: "t"): value.append(0x09)
    case UInt8(ascii: "v"): value.append(0x0b)
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): value.append(next)
    case 0x0a, 0x0d:
      if let second = byte(), second == 0x0a || second == 0x0d, second != next { offset += 1 }
      value.append(0x0a)
    case UInt8(ascii: "z"):
      while let blank = byte(), Self.isBlank(blank) { offset += 1 }
    case UInt8(ascii: "x"):
      let high = try hexDigit(start)
      value.append(high << 4 | (try hexDigit(start)))
    case UInt8(ascii: "u"): try unicodeEscape(start, into: &value)
    default:
      guard Self.isDigit(next) else { throw error(.badEscape, start..<offset, expected: "\\\\") }
      var number = Int(next - 0x30)
      for _ in 0..<2 {
        guard let digit = byte(), Self.isDigit(digit) else { break }
        number = number * 10 + Int(digit - 0x30)
        offset += 1
      }
      guard let byte = UInt8(exactly: number) else { throw error(.badEscape, start..<offset, expected: "\\0…\\255") }
      value.append(byte)
    }
  }

  private mutating func hexDigit(_ start: Int) throws(LuaSyntaxError) -> UInt8 {
    guard let next = byte(), Self.isHexDigit(next) else {
      throw error(.badEscape, start..<min(offset + 1, bytes.count), expected: "0…9 A…F")
    }
    offset += 1
    return Self.hexValue(next)
  }

  /// `\u{XXX}`: a number of up to 31 bits, written as the original UTF-8 had it.
  private mutating func unicodeEscape(_ start: Int, into value: inout [UInt8]) throws(LuaSyntaxError) {
    func failure(_ expected: String) -> LuaSyntaxError {
      error(.badEscape, start..<min(offset + 1, bytes.count), expected: expected)
    }
    guard take("{") else { throw failure("'{'") }
    var number = UInt32(try hexDigit(start))
    while let next = byte(), Self.isHexDigit(next) {
      guard number <= 0x7fff_ffff >> 4 else { throw failure("\\u{0}…\\u{7FFFFFFF}") }
      number = number << 4 | UInt32(Self.hexValue(next))
      offset += 1
    }
    guard take("}") else { throw failure("'}'") }
    guard number >= 0x80 else { return value.append(UInt8(number)) }
    var tail: [UInt8] = []
    var room: UInt32 = 0x3f
    repeat {
      tail.append(UInt8(0x80 | number & 0x3f))
      number >>= 6
      room >>= 1
    } while number > room
    value.append(UInt8(truncatingIfNeeded: (~room << 1) | number))
    value += tail.reversed()
  }
}
