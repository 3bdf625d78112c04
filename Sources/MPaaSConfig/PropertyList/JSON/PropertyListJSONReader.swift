import MPaaSSupport

/// Reads JSON (RFC 8259) as a property list: members keep their order, and values know where they stand.
///
/// Whole numbers are integers, others reals. There is no form for nothing: `null` is refused.
struct PropertyListJSONReader {
  private let text: UnsafeBufferPointer<UInt8>
  private let file: String
  /// Tells whether `{"$data": …}` and its like stand for the types that JSON lacks.
  private let isTagged: Bool
  private var offset = 0
  private var keys = PropertyListKeyCache()
  /// Tells whether the next object is what it looks like, though it looks like a mark.
  private var isNextPlain = false

  static func read(_ text: [UInt8], file: String, isTagged: Bool) throws(ConfigError) -> PropertyListValue {
    try text.withUnsafeBufferPointer { (bytes) throws(ConfigError) in
      var reader = PropertyListJSONReader(bytes, file, isTagged)
      let value = try reader.value(depth: 0)
      reader.skipBlanks()
      guard reader.offset == bytes.count else { throw reader.unexpected() }
      return value
    }
  }

  private init(_ text: UnsafeBufferPointer<UInt8>, _ file: String, _ isTagged: Bool) {
    self.text = text
    self.file = file
    self.isTagged = isTagged
  }

  private func error(_ code: ConfigError.Code, _ values: [String: String] = [:], at offset: Int) -> ConfigError {
    let (line, column) = TextLines.position(of: offset, in: text)
    return ConfigError(code, values.merging(["file": file]) { $1 }, at: .text(file: file, line: line, column: column))
  }

  private func unexpected() -> ConfigError {
    guard offset < text.count else { return error(.plistJSONUnfinished, at: offset) }
    let found = String(decoding: text[offset...].prefix(4), as: UTF8.self).unicodeScalars.first
    return error(.plistJSONSyntax, ["found": found.map { String($0) } ?? ""], at: offset)
  }

  private var next: UInt8? { offset < text.count ? text[offset] : nil }

  private mutating func skipBlanks() {
    while offset < text.count, PropertyListMarkup.isBlank(text[offset]) { offset += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    offset += 1
    return true
  }

  private mutating func value(depth: Int) throws(ConfigError) -> PropertyListValue {
    skipBlanks()
    let start = offset
    switch next {
    case UInt8(ascii: "{"):
      try checkDepth(depth)
      return try object(depth)
    case UInt8(ascii: "["):
      try checkDepth(depth)
      return try array(depth)
    case UInt8(ascii: "\""):
      let text = try string()
      return PropertyListValue(.string(text), span: start..<offset, inside: start + 1..<offset - 1)
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"):
      _ = try word("null", .boolean(false))
      throw error(.plistJSONNull, at: start)
    default: return try number()
    }
  }

  private func checkDepth(_ depth: Int) throws(ConfigError) {
    guard depth < PropertyListReader.deepest else {
      throw error(.plistTooDeep, ["limit": "\(PropertyListReader.deepest)"], at: offset)
    }
  }

  private mutating func object(_ depth: Int) throws(ConfigError) -> PropertyListValue {
    let start = offset
    let isPlain = isNextPlain || !isTagged
    isNextPlain = false
    offset += 1
    var members: [PropertyListMember] = []
    skipBlanks()
    if !take(0x7d) {
      while true {
        skipBlanks()
        let keyStart = offset
        guard next == 0x22 else { throw unexpected() }
        let key = try string(isKey: true)
        let keySpan = keyStart..<offset
        skipBlanks()
        guard take(0x3a) else { throw unexpected() }
        isNextPlain = !isPlain && members.isEmpty && key == "$dictionary"
        members.append(PropertyListMember(key, try value(depth: depth + 1), keySpan: keySpan))
        skipBlanks()
        if take(0x7d) { break }
        guard take(0x2c) else { throw unexpected() }
      }
    }
    let span = start..<offset
    if !isPlain, let member = members.first, members.count == 1, member.key.hasPrefix("$") {
      if let content = try tagged(member) { return PropertyListValue(content, span: span, inside: nil) }
    }
    return PropertyListValue(.dictionary(members), span: span, inside: start + 1..<offset - 1)
  }

  private mutating func array(_ depth: Int) throws(ConfigError) -> PropertyListValue {
    let start = offset
    isNextPlain = false
    offset += 1
    var values: [PropertyListValue] = []
    skipBlanks()
    if !take(0x5d) {
      while true {
        values.append(try value(depth: depth + 1))
        skipBlanks()
        if take(0x5d) { break }
        guard take(0x2c) else { throw unexpected() }
      }
    }
    return PropertyListValue(.array(values), span: start..<offset, inside: start + 1..<offset - 1)
  }

  private mutating func word(
    _ word: StaticString, _ content: PropertyListValue.Content
  ) throws(ConfigError) -> PropertyListValue {
    let start = offset
    for index in 0..<word.utf8CodeUnitCount {
      guard next == word.utf8Start[index] else { throw unexpected() }
      offset += 1
    }
    return PropertyListValue(content, span: start..<offset, inside: nil)
  }

  /// The value that a tag stands for; nil where the name is none.
  private func tagged(_ member: PropertyListMember) throws(ConfigError) -> PropertyListValue.Content? {
    let content: PropertyListValue.Content?
    switch (member.key, member.value.content) {
    case ("$data", .string(let text)): content = Base64.decode(loose: Array(text.utf8)).map { .data($0) }
    case ("$date", .string(let text)): content = PropertyListDate(text).map { .date($0) }
    case ("$uid", .integer(let number)): content = UInt64(exactly: number).map { .uid($0) }
    case ("$real", .string(let text)):
      content = Array(text.utf8).withUnsafeBufferPointer { PropertyListNumber.real($0) }.map { .real($0) }
    case ("$real", .integer(let number)): content = .real(Double(number))
    case ("$real", .real(let number)): content = .real(number)
    case ("$dictionary", .dictionary(let members)): content = .dictionary(members)
    case ("$data", _), ("$date", _), ("$uid", _), ("$real", _), ("$dictionary", _): content = nil
    default: return nil
    }
    guard let content else {
      throw error(.plistJSONTag, ["tag": member.key], at: member.value.span.lowerBound)
    }
    return content
  }
}

// MARK: Numbers and strings

extension PropertyListJSONReader {
  private mutating func number() throws(ConfigError) -> PropertyListValue {
    let start = offset
    let isNegative = take(0x2d)
    guard let first = next, (0x30...0x39).contains(first) else {
      offset = start
      throw unexpected()
    }
    let digits = offset
    var size: UInt64 = 0
    var fits = true
    while let byte = next, (0x30...0x39).contains(byte) {
      let (product, isHigh) = size.multipliedReportingOverflow(by: 10)
      let (sum, carries) = product.addingReportingOverflow(UInt64(byte - 0x30))
      fits = fits && !isHigh && !carries
      size = sum
      offset += 1
    }
    var isWhole = true
    var isWell = offset == digits + 1 || first != 0x30
    if take(0x2e) {
      isWhole = false
      isWell = skipDigits() && isWell
    }
    if next == 0x65 || next == 0x45 {
      offset += 1
      isWhole = false
      _ = take(0x2b) || take(0x2d)
      isWell = skipDigits() && isWell
    }
    let span = start..<offset
    if isWell, isWhole, fits {
      let number = isNegative ? PropertyListInteger(minus: size) : PropertyListInteger(size)
      if !isNegative || size <= Int64.min.magnitude {
        return PropertyListValue(.integer(number), span: span, inside: span)
      }
    }
    let word = String(decoding: UnsafeBufferPointer(rebasing: text[span]), as: UTF8.self)
    guard isWell, let number = Double(word), number.isFinite else {
      throw error(.plistJSONNumber, ["text": String(word.prefix(40))], at: start)
    }
    return PropertyListValue(.real(number), span: span, inside: span)
  }

  private mutating func skipDigits() -> Bool {
    let start = offset
    while let byte = next, (0x30...0x39).contains(byte) { offset += 1 }
    return offset > start
  }

  private mutating func string(isKey: Bool = false) throws(ConfigError) -> String {
    let start = offset
    offset += 1
    while offset < text.count, text[offset] != 0x22, text[offset] != 0x5c, text[offset] >= 0x20 { offset += 1 }
    if take(0x22) {
      let range = start + 1..<offset - 1
      return isKey
        ? keys.text(range, in: text) : String(decoding: UnsafeBufferPointer(rebasing: text[range]), as: UTF8.self)
    }
    var bytes = Array(text[start + 1..<offset])
    while let byte = next {
      switch byte {
      case 0x22:
        offset += 1
        return String(decoding: bytes, as: UTF8.self)
      case 0x5c: try escape(into: &bytes)
      case 0..<0x20:
        throw error(.plistJSONString, ["text": "U+00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)], at: offset)
      default:
        bytes.append(byte)
        offset += 1
      }
    }
    throw error(.plistJSONUnfinished, at: start)
  }

  private mutating func escape(into bytes: inout [UInt8]) throws(ConfigError) {
    let start = offset
    guard offset + 1 < text.count else { throw error(.plistJSONUnfinished, at: start) }
    let code = text[offset + 1]
    offset += 2
    switch code {
    case 0x22, 0x5c, 0x2f: bytes.append(code)
    case 0x62: bytes.append(0x08)
    case 0x66: bytes.append(0x0c)
    case 0x6e: bytes.append(0x0a)
    case 0x72: bytes.append(0x0d)
    case 0x74: bytes.append(0x09)
    case 0x75:
      guard let scalar = scalar() else { throw badEscape(start) }
      bytes += String(Character(scalar)).utf8
    default: throw badEscape(start)
    }
  }

  private func badEscape(_ start: Int) -> ConfigError {
    let found = String(decoding: text[start..<min(start + 6, text.count)].prefix { $0 > 0x20 }, as: UTF8.self)
    return error(.plistJSONString, ["text": found], at: start)
  }

  /// The character of `\uXXXX`, of two of them where the first is the first half of a pair.
  private mutating func scalar() -> Unicode.Scalar? {
    guard let first = unit() else { return nil }
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xdc00, take(0x5c), take(0x75), let second = unit(), (0xdc00...0xdfff).contains(second) else {
      return nil
    }
    return Unicode.Scalar(0x10000 + ((first & 0x3ff) << 10 | (second & 0x3ff)))
  }

  private mutating func unit() -> UInt32? {
    guard text.count - offset >= 4 else { return nil }
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(text[offset])).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }
}
