import MPaaSSupport

/// Reads the value of an XML property list.
///
/// Source: the document type `PropertyList-1.0.dtd`, and `plist(5)`.
struct PropertyListReader {
  /// How deep arrays and dictionaries may nest.
  static let deepest = 512

  /// A dictionary or an array whose end has not come.
  private struct Frame {
    let tag: PropertyListMarkup.Tag
    var members: [PropertyListMember] = []
    var values: [PropertyListValue] = []
    var key: (text: String, span: Range<Int>)?

    var isDictionary: Bool { tag.name == "dict" }
  }

  private static let elements = ["array", "data", "date", "dict", "false", "integer", "key", "real", "string", "true"]

  private var markup: PropertyListMarkup
  private var frames: [Frame] = []
  private var root: PropertyListValue?

  init(_ text: [UInt8], file: String) {
    markup = PropertyListMarkup(text, file: file)
  }

  mutating func read() throws(ConfigError) -> PropertyListValue {
    var document: PropertyListMarkup.Tag?
    var isOver = false
    while let tag = try markup.tag() {
      if isOver { throw markup.error(.plistSecondValue, ["element": tag.name], at: tag.span.lowerBound) }
      if tag.name == "plist", frames.isEmpty {
        isOver = try readDocument(tag, &document)
      } else {
        try readElement(tag)
        isOver = document == nil && frames.isEmpty
      }
    }
    if let open = frames.last?.tag ?? (isOver ? nil : document) {
      throw markup.error(.plistUnclosed, ["element": open.name], at: open.span.lowerBound)
    }
    guard let root else { throw markup.error(.plistEmpty, at: markup.text.count) }
    return root
  }

  /// Opens or closes the document; true when it is over.
  private mutating func readDocument(
    _ tag: PropertyListMarkup.Tag, _ document: inout PropertyListMarkup.Tag?
  ) throws(ConfigError) -> Bool {
    if tag.isClosing {
      guard document != nil else { throw unexpected(tag) }
      guard root != nil else { throw markup.error(.plistEmpty, at: tag.span.lowerBound) }
      return true
    }
    guard document == nil else { throw unexpected(tag) }
    guard !tag.isEmpty else { throw markup.error(.plistEmpty, at: tag.span.lowerBound) }
    document = tag
    return false
  }

  private func unexpected(_ tag: PropertyListMarkup.Tag) -> ConfigError {
    var values = ["element": "\(tag.isClosing ? "/" : "")\(tag.name)"]
    if let near = closestMatch(to: tag.name, among: Self.elements), near != tag.name { values["suggestion"] = near }
    return markup.error(.plistElement, values, at: tag.span.lowerBound)
  }

  private mutating func readElement(_ tag: PropertyListMarkup.Tag) throws(ConfigError) {
    if tag.isClosing { return try closeContainer(tag) }
    if frames.isEmpty, root != nil {
      throw markup.error(.plistSecondValue, ["element": tag.name], at: tag.span.lowerBound)
    }
    switch tag.name {
    case "key": try readKey(tag)
    case "dict", "array":
      try expectValue(tag)
      guard frames.count < Self.deepest else {
        throw markup.error(.plistTooDeep, ["limit": "\(Self.deepest)"], at: tag.span.lowerBound)
      }
      frames.append(Frame(tag: tag))
      if tag.isEmpty { finishContainer(end: tag.span.upperBound, inside: nil) }
    default:
      guard Self.elements.contains(tag.name) else { throw unexpected(tag) }
      try expectValue(tag)
      add(try leaf(tag))
    }
  }

  private mutating func readKey(_ tag: PropertyListMarkup.Tag) throws(ConfigError) {
    guard let frame = frames.last, frame.isDictionary else { throw unexpected(tag) }
    if let key = frame.key { throw markup.error(.plistValueMissing, ["key": key.text], at: key.span.lowerBound) }
    let text = tag.isEmpty ? [] : try markup.content(of: tag).text
    frames[frames.count - 1].key = (String(decoding: text, as: UTF8.self), tag.span.lowerBound..<markup.offset)
  }

  private func expectValue(_ tag: PropertyListMarkup.Tag) throws(ConfigError) {
    guard let frame = frames.last, frame.isDictionary, frame.key == nil else { return }
    throw markup.error(.plistKeyMissing, ["element": tag.name], at: tag.span.lowerBound)
  }

  private mutating func closeContainer(_ tag: PropertyListMarkup.Tag) throws(ConfigError) {
    guard let frame = frames.last else { throw unexpected(tag) }
    guard frame.tag.name == tag.name else { throw markup.closingError(tag, opened: frame.tag) }
    if let key = frame.key { throw markup.error(.plistValueMissing, ["key": key.text], at: key.span.lowerBound) }
    finishContainer(end: tag.span.upperBound, inside: frame.tag.span.upperBound..<tag.span.lowerBound)
  }

  private mutating func finishContainer(end: Int, inside: Range<Int>?) {
    guard let frame = frames.popLast() else { return }
    add(
      PropertyListValue(
        frame.isDictionary ? .dictionary(frame.members) : .array(frame.values),
        span: frame.tag.span.lowerBound..<end, inside: inside))
  }

  private mutating func add(_ value: PropertyListValue) {
    guard let last = frames.indices.last else {
      root = value
      return
    }
    if let key = frames[last].key {
      frames[last].members.append(PropertyListMember(key.text, value, keySpan: key.span))
      frames[last].key = nil
    } else {
      frames[last].values.append(value)
    }
  }

  private mutating func leaf(_ tag: PropertyListMarkup.Tag) throws(ConfigError) -> PropertyListValue {
    let (bytes, inside) = tag.isEmpty ? ([], nil) : try body(of: tag)
    let text = String(decoding: bytes, as: UTF8.self)
    guard let content = Self.content(tag.name, text, bytes) else {
      throw markup.error(
        .plistValue, ["element": tag.name, "text": String(text.prefix(40))],
        at: inside?.lowerBound ?? tag.span.lowerBound)
    }
    return PropertyListValue(content, span: tag.span.lowerBound..<markup.offset, inside: inside)
  }

  private mutating func body(of tag: PropertyListMarkup.Tag) throws(ConfigError) -> ([UInt8], Range<Int>?) {
    let (text, inside) = try markup.content(of: tag)
    return (text, inside)
  }

  private static func content(_ name: String, _ text: String, _ bytes: [UInt8]) -> PropertyListValue.Content? {
    switch name {
    case "string": return .string(text)
    case "true", "false": return bytes.allSatisfy(PropertyListMarkup.isBlank) ? .boolean(name == "true") : nil
    case "data": return Base64Text.decode(bytes).map { .data($0) }
    default: break
    }
    let word = String(decoding: trimmed(bytes), as: UTF8.self)
    switch name {
    case "integer": return integer(word).map { .integer($0) }
    case "real": return real(word).map { .real($0) }
    default: return PropertyListDate(word).map { .date($0) }
    }
  }

  private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    var rest = bytes.drop(while: PropertyListMarkup.isBlank)
    while let last = rest.last, PropertyListMarkup.isBlank(last) { rest.removeLast() }
    return rest
  }

  private static func integer(_ word: String) -> Int128? {
    let isNegative = word.hasPrefix("-")
    var digits = Substring(word)
    if isNegative || word.hasPrefix("+") { digits = digits.dropFirst() }
    let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    if isHex { digits = digits.dropFirst(2) }
    guard let first = digits.first, first != "+", first != "-", let size = UInt64(digits, radix: isHex ? 16 : 10) else {
      return nil
    }
    let number = isNegative ? -Int128(size) : Int128(size)
    return number >= Int128(Int64.min) ? number : nil
  }

  private static func real(_ word: String) -> Double? {
    switch word.lowercased() {
    case "nan", "+nan", "-nan": return .nan
    case "inf", "+inf", "infinity", "+infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default: break
    }
    guard word.utf8.allSatisfy({ (0x30...0x39).contains($0) || [0x2b, 0x2d, 0x2e, 0x45, 0x65].contains($0) }) else {
      return nil
    }
    return Double(word)
  }
}

/// Data as property lists write it: base64 (RFC 4648, section 4) with blanks anywhere; the padding may be missing.
enum Base64Text {
  static func decode(_ text: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    var isPadded = false
    for byte in text where !PropertyListMarkup.isBlank(byte) {
      if byte == 0x3d {
        isPadded = true
        continue
      }
      guard !isPadded, let value = value(byte) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 1
      if count % 4 != 1 { bytes.append(UInt8(truncatingIfNeeded: bits >> [0, 0, 4, 2][count % 4])) }
    }
    return count % 4 == 1 ? nil : bytes
  }

  static func encode(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0..<4 {
        text.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 0x3f] : 0x3d)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x41...0x5a: byte - 0x41
    case 0x61...0x7a: byte - 0x61 + 26
    case 0x30...0x39: byte - 0x30 + 52
    case 0x2b: 62
    case 0x2f: 63
    default: nil
    }
  }
}
