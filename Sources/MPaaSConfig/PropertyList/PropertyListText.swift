import MPaaSSupport

/// The text of a property list in UTF-8, and the encoding that its file has.
struct PropertyListText: Sendable {
  enum Encoding: Sendable {
    case utf8(hasMark: Bool)
    case utf16(isBig: Bool, hasMark: Bool)
    case utf32(isBig: Bool, hasMark: Bool)
    case latin1
  }

  let utf8: [UInt8]
  let encoding: Encoding

  /// Decodes by the byte order mark, else by where the zeros of the first character stand, else by the declaration
  /// (XML 1.0, appendix F).
  init(_ bytes: [UInt8], file: String) throws(ConfigError) {
    encoding = Self.encoding(of: bytes)
    let (text, end) = Self.decode(bytes, encoding)
    guard let text else {
      throw ConfigError(.plistEncoding, ["file": file], at: .bytes(file: file, offset: UInt64(end)))
    }
    utf8 = text
  }

  init(utf8: [UInt8], encoding: Encoding) {
    self.utf8 = utf8
    self.encoding = encoding
  }

  /// The bytes of the file.
  var bytes: [UInt8] {
    let text = String(decoding: utf8, as: UTF8.self)
    switch encoding {
    case .utf8(let hasMark): return (hasMark ? [0xef, 0xbb, 0xbf] : []) + utf8
    case .utf16(let isBig, let hasMark):
      return ((hasMark ? [0xfeff] : []) + Array(text.utf16)).flatMap { unit in
        let pair = [UInt8(unit >> 8), UInt8(unit & 0xff)]
        return isBig ? pair : pair.reversed()
      }
    case .utf32(let isBig, let hasMark):
      return ((hasMark ? [0xfeff] : []) + text.unicodeScalars.map(\.value)).flatMap { unit in
        let four = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: unit >> UInt32($0)) }
        return isBig ? four : four.reversed()
      }
    case .latin1:
      return text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }
  }

  /// Tells whether the encoding has every character.
  var holdsAll: Bool {
    if case .latin1 = encoding { false } else { true }
  }

  /// Tells whether the encoding has the scalar.
  func holds(_ scalar: Unicode.Scalar) -> Bool {
    if case .latin1 = encoding { scalar.value < 0x100 } else { true }
  }

  private static func encoding(of bytes: [UInt8]) -> Encoding {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return .utf8(hasMark: true) }
    if bytes.starts(with: [0, 0, 0xfe, 0xff]) { return .utf32(isBig: true, hasMark: true) }
    if bytes.starts(with: [0xff, 0xfe, 0, 0]) { return .utf32(isBig: false, hasMark: true) }
    if bytes.starts(with: [0xfe, 0xff]) { return .utf16(isBig: true, hasMark: true) }
    if bytes.starts(with: [0xff, 0xfe]) { return .utf16(isBig: false, hasMark: true) }
    if bytes.starts(with: [0, 0, 0, 0x3c]) { return .utf32(isBig: true, hasMark: false) }
    if bytes.starts(with: [0x3c, 0, 0, 0]) { return .utf32(isBig: false, hasMark: false) }
    if bytes.count > 1, bytes[0] == 0, bytes[1] != 0 { return .utf16(isBig: true, hasMark: false) }
    if bytes.count > 1, bytes[0] != 0, bytes[1] == 0 { return .utf16(isBig: false, hasMark: false) }
    let declaration = String(decoding: bytes.prefix { $0 != 0x3e }.prefix(200), as: UTF8.self).lowercased()
    let isLatin1 = declaration.hasPrefix("<?xml") && declaration.has("iso-8859-1")
    return isLatin1 ? .latin1 : .utf8(hasMark: false)
  }

  /// The text, or nil and the offset of the first bytes that are none.
  private static func decode(_ bytes: [UInt8], _ encoding: Encoding) -> ([UInt8]?, Int) {
    switch encoding {
    case .utf8(let hasMark):
      let text = hasMark ? Array(bytes.dropFirst(3)) : bytes
      guard let end = text.withUnsafeBufferPointer({ UTF8Check.firstInvalid($0) }) else { return (text, 0) }
      return (nil, end + (hasMark ? 3 : 0))
    case .latin1:
      return (Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8), 0)
    case .utf16(let isBig, let hasMark):
      let units = units(bytes.dropFirst(hasMark ? 2 : 0), width: 2, isBig: isBig).map(UInt16.init(truncatingIfNeeded:))
      guard bytes.count % 2 == 0, let text = String(validUTF16: units) else { return (nil, 0) }
      return (Array(text.utf8), 0)
    case .utf32(let isBig, let hasMark):
      let units = units(bytes.dropFirst(hasMark ? 4 : 0), width: 4, isBig: isBig)
      guard bytes.count % 4 == 0, units.allSatisfy({ Unicode.Scalar($0) != nil }) else { return (nil, 0) }
      return (Array(String(String.UnicodeScalarView(units.compactMap { Unicode.Scalar($0) })).utf8), 0)
    }
  }

  private static func units(_ bytes: ArraySlice<UInt8>, width: Int, isBig: Bool) -> [UInt32] {
    stride(from: bytes.startIndex, to: bytes.endIndex - width + 1, by: width).map { start in
      let unit = bytes[start..<start + width]
      return (isBig ? Array(unit) : unit.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}

/// Lines and columns of a text; for asking often where its lines begin.
struct TextLines: Sendable {
  private let text: [UInt8]
  private let starts: [Int]

  init(_ text: [UInt8]) {
    self.text = text
    starts = text.withUnsafeBufferPointer { bytes in
      var starts = [0]
      for offset in 0..<bytes.count where bytes[offset] == 0x0a { starts.append(offset + 1) }
      return starts
    }
  }

  /// Line and column from 1; the column counts Unicode scalars.
  func position(of offset: Int) -> (line: Int, column: Int) {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    let column = text[starts[low]..<min(max(offset, starts[low]), text.count)].reduce(1) {
      $0 + ($1 & 0xc0 == 0x80 ? 0 : 1)
    }
    return (low + 1, column)
  }

  /// Line and column from 1; the column counts Unicode scalars.
  static func position(of offset: Int, in text: UnsafeBufferPointer<UInt8>) -> (line: Int, column: Int) {
    let end = min(max(offset, 0), text.count)
    var line = 1
    var start = 0
    for position in 0..<end where text[position] == 0x0a {
      line += 1
      start = position + 1
    }
    var column = 1
    for position in start..<end where text[position] & 0xc0 != 0x80 { column += 1 }
    return (line, column)
  }
}
