/// The reason why bytes are not JSON, and where.
package struct JSONError: Error, Sendable, Equatable {
  package enum Code: String, Sendable {
    case endOfInput = "end-of-input"
    case unexpectedByte = "unexpected-byte"
    case badNumber = "bad-number"
    case badEscape = "bad-escape"
    case tooDeep = "too-deep"
    case trailingBytes = "trailing-bytes"
    // By strict rules only:
    case nameTwice = "name-twice"
    case notWhole = "not-whole"
    case outOfRange = "out-of-range"
    case notUTF8 = "not-utf8"
    case uncleanString = "unclean-string"
  }
  package let code: Code
  /// Bytes from the start of the document.
  package let offset: Int
  /// From 1.
  package let line: Int
  /// From 1, in bytes.
  package let column: Int

  package init(code: Code, offset: Int, line: Int, column: Int) {
    self.code = code
    self.offset = offset
    self.line = line
    self.column = column
  }
}

extension JSONValue {
  /// Reads one JSON document (RFC 8259) and nothing behind it but white space.
  ///
  /// It is lenient where writers of crash reports are sloppy: raw control characters in strings are taken as they are,
  /// bytes that are not UTF-8 and lone surrogates become U+FFFD, and of members with the same name the last one counts.
  ///
  /// - Parameter rules: Strict ones leave nothing of that leniency.
  /// - Throws: `JSONError` with the place of the first byte that cannot be there.
  package init(reading bytes: UnsafeRawBufferPointer, by rules: JSONRules = .lenient) throws(JSONError) {
    var reader = JSONReader(bytes, rules)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.offset == bytes.count else { throw reader.error(.trailingBytes) }
    self = value
  }

  /// Reads the JSON document at the front of the bytes, whatever follows.
  ///
  /// - Parameter end: Gets the offset of the first byte behind the document.
  package init(readingFirstOf bytes: UnsafeRawBufferPointer, end: inout Int) throws(JSONError) {
    var reader = JSONReader(bytes, .lenient)
    self = try reader.value(depth: 0)
    end = reader.offset
  }
}

/// Goes through the bytes of a JSON document once, from the first to the last.
private struct JSONReader {
  private let bytes: UnsafeRawBufferPointer
  private let rules: JSONRules
  private(set) var offset = 0

  init(_ bytes: UnsafeRawBufferPointer, _ rules: JSONRules) {
    self.bytes = bytes
    self.rules = rules
  }

  func error(_ code: JSONError.Code, at place: Int? = nil) -> JSONError {
    let end = min(place ?? offset, bytes.count)
    let before = bytes[..<end]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    return JSONError(code: code, offset: end, line: line, column: end - start + 1)
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { offset += 1 }
  }

  mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    skipSpace()
    switch next {
    case nil: throw error(.endOfInput)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < rules.depth else { throw error(.tooDeep) }
      return next == UInt8(ascii: "{") ? .object(try object(depth)) : .array(try array(depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  /// Takes `byte` where it is next.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(JSONError) {
    guard take(character) else { throw error(next == nil ? .endOfInput : .unexpectedByte) }
  }

  private mutating func object(_ depth: Int) throws(JSONError) -> JSONValue.Object {
    offset += 1
    var members: JSONValue.Object = [:]
    skipSpace()
    if take("}") { return members }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error(next == nil ? .endOfInput : .unexpectedByte) }
      let start = offset
      let name = try string()
      guard !rules.isStrict || members[name] == nil else { throw error(.nameTwice, at: start) }
      skipSpace()
      try expect(":")
      members[name] = try value(depth: depth + 1)
      skipSpace()
      if take("}") { return members }
      try expect(",")
    }
  }

  private mutating func array(_ depth: Int) throws(JSONError) -> [JSONValue] {
    offset += 1
    var elements: [JSONValue] = []
    skipSpace()
    if take("]") { return elements }
    while true {
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if take("]") { return elements }
      try expect(",")
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    for index in 0..<word.utf8CodeUnitCount {
      guard let byte = next else { throw error(.endOfInput) }
      guard byte == word.utf8Start[index] else { throw error(.unexpectedByte) }
      offset += 1
    }
    return value
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = offset
    let isNegative = take("-")
    var magnitude: UInt64 = 0
    var fits = true
    let digits = offset
    while let byte = next, byte &- 0x30 < 10 {
      let (product, high) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(byte - 0x30))
      fits = fits && !high && !carry
      magnitude = sum
      offset += 1
    }
    guard offset > digits else {
      throw error(next == nil ? .endOfInput : offset > start ? .badNumber : .unexpectedByte)
    }
    guard offset == digits + 1 || bytes[digits] != 0x30 else { throw error(.badNumber, at: digits) }
    let isWhole = try !skipFraction()
    if rules.isStrict { try checkStrictly(isWhole, isNegative, fits ? magnitude : .max, at: start) }
    if isWhole, fits, !isNegative { return .unsigned(magnitude) }
    if isWhole, fits, magnitude > 0, magnitude <= 1 << 63 {
      return .negative(Int64(truncatingIfNeeded: 0 &- magnitude))
    }
    let text = String(utf8: UnsafeRawBufferPointer(rebasing: bytes[start..<offset]))
    guard let value = Double(text), value.isFinite else { throw error(.badNumber, at: start) }
    return .number(value)
  }

  /// Strictly, a number has one spelling, and one that every reader keeps exactly (RFC 8259 section 6).
  private func checkStrictly(
    _ isWhole: Bool, _ isNegative: Bool, _ magnitude: UInt64, at start: Int
  ) throws(JSONError) {
    guard isWhole, !isNegative || magnitude > 0 else { throw error(.notWhole, at: start) }
    guard magnitude < 1 << 53, !isNegative || rules.allowsNegative else { throw error(.outOfRange, at: start) }
  }

  /// Goes past a fraction and an exponent, and says whether there was either.
  private mutating func skipFraction() throws(JSONError) -> Bool {
    let start = offset
    if take(".") { try skipDigits() }
    if take("e") || take("E") {
      _ = take("+") || take("-")
      try skipDigits()
    }
    return offset > start
  }

  private mutating func skipDigits() throws(JSONError) {
    let start = offset
    while let byte = next, byte &- 0x30 < 10 { offset += 1 }
    guard offset > start else { throw error(next == nil ? .endOfInput : .badNumber) }
  }

  private mutating func string() throws(JSONError) -> String {
    offset += 1
    let start = offset
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { offset += 1 }
    let plain = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
    try checkControls(plain, at: start)
    if take("\"") { return try checked(plain, at: start) }
    var text = [UInt8](plain)
    while let byte = next {
      offset += 1
      if byte == UInt8(ascii: "\"") { return try checked(text, at: start) }
      if byte == UInt8(ascii: "\\") {
        try escape(into: &text)
      } else {
        try checkControls(CollectionOfOne(byte), at: offset - 1)
        text.append(byte)
      }
    }
    throw error(.endOfInput)
  }

  /// Refuses control characters that are not escaped (RFC 8259 section 7); strict rules say so of the whole string.
  private func checkControls(_ bytes: some Collection<UInt8>, at start: Int) throws(JSONError) {
    guard rules.refusesBrokenText, !rules.isStrict, bytes.contains(where: { $0 < 0x20 }) else { return }
    throw error(.unexpectedByte, at: start)
  }

  /// The bytes as a string; strictly, only of UTF-8 that looks like what it is.
  private func checked(_ text: some Collection<UInt8>, at start: Int) throws(JSONError) -> String {
    guard rules.refusesBrokenText else { return String(decoding: text, as: UTF8.self) }
    guard let string = String(validUTF8: text) else { throw error(.notUTF8, at: start) }
    guard !rules.isStrict || string.isPlainText else { throw error(.uncleanString, at: start) }
    return string
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    guard let byte = next else { throw error(.endOfInput) }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0c)
    case UInt8(ascii: "n"): text.append(0x0a)
    case UInt8(ascii: "r"): text.append(0x0d)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += String(try scalar()).utf8
    default: throw error(.badEscape, at: offset - 1)
    }
  }

  /// The scalar of `\uXXXX`, of two of them where the first is the first half of a pair.
  private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
    let replacement: Unicode.Scalar = "\u{fffd}"
    let first = try unit()
    let after = offset
    guard first & 0xfc00 == 0xd800 else {
      if let scalar = Unicode.Scalar(first) { return scalar }
      guard !rules.refusesBrokenText else { throw error(.badEscape, at: after - 4) }
      return replacement
    }
    guard take("\\"), take("u"), case let second = try unit(), second & 0xfc00 == 0xdc00 else {
      guard !rules.refusesBrokenText else { throw error(.badEscape, at: after - 4) }
      offset = after
      return replacement
    }
    return Unicode.Scalar(0x10000 + (UInt32(first & 0x3ff) << 10 | UInt32(second & 0x3ff))) ?? replacement
  }

  private mutating func unit() throws(JSONError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next else { throw error(.endOfInput) }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw error(.badEscape) }
      value = value << 4 | UInt16(digit)
      offset += 1
    }
    return value
  }
}
