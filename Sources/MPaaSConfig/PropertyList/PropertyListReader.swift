import MPaaSSupport

/// Reads the value of an XML property list.
///
/// Source: the document type `PropertyList-1.0.dtd`, and `plist(5)`.
struct PropertyListReader {
  /// The greatest depth of arrays and dictionaries, in any format.
  static let deepest = 512

  /// A dictionary or an array whose end has not come.
  private struct Frame {
    let tag: PropertyListMarkup.Tag
    let isDictionary: Bool
    var members: [PropertyListMember] = []
    var values: [PropertyListValue] = []
  }

  /// A key whose value has not come.
  private struct Key {
    let text: String
    let span: Range<Int>
  }

  private static let elements = ["array", "data", "date", "dict", "false", "integer", "key", "real", "string", "true"]

  private var markup: PropertyListMarkup
  private var frames: [Frame] = []
  private var key: Key?
  private var keys = PropertyListKeyCache()
  private var root: PropertyListValue?

  private init(_ text: UnsafeBufferPointer<UInt8>, file: String) {
    markup = PropertyListMarkup(text, file: file)
  }

  /// The value of a property list in UTF-8.
  static func read(_ text: [UInt8], file: String) throws(ConfigError) -> PropertyListValue {
    try text.withUnsafeBufferPointer { (bytes) throws(ConfigError) in
      var reader = PropertyListReader(bytes, file: file)
      return try reader.read()
    }
  }

  private mutating func read() throws(ConfigError) -> PropertyListValue {
    var document: PropertyListMarkup.Tag?
    var isOver = false
    while let tag = try markup.tag() {
      if isOver { throw second(tag) }
      if tag.element == .plist, frames.isEmpty {
        isOver = try readDocument(tag, &document)
      } else {
        try readElement(tag)
        isOver = document == nil && frames.isEmpty
      }
    }
    if let open = frames.last?.tag ?? (isOver ? nil : document) {
      throw markup.error(.plistUnclosed, ["element": markup.name(of: open)], at: open.span.lowerBound)
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

  private func second(_ tag: PropertyListMarkup.Tag) -> ConfigError {
    markup.error(.plistSecondValue, ["element": markup.name(of: tag)], at: tag.span.lowerBound)
  }

  private func unexpected(_ tag: PropertyListMarkup.Tag) -> ConfigError {
    let name = markup.name(of: tag)
    var values = ["element": "\(tag.isClosing ? "/" : "")\(name)"]
    if let near = closestMatch(to: name, among: Self.elements), near != name { values["suggestion"] = near }
    return markup.error(.plistElement, values, at: tag.span.lowerBound)
  }

  @inline(__always)
  private mutating func readElement(_ tag: PropertyListMarkup.Tag) throws(ConfigError) {
    if tag.isClosing { return try closeContainer(tag) }
    if frames.isEmpty, root != nil { throw second(tag) }
    switch tag.element {
    case .key: try readKey(tag)
    case .dict, .array:
      try expectValue(tag)
      guard frames.count < Self.deepest else {
        throw markup.error(.plistTooDeep, ["limit": "\(Self.deepest)"], at: tag.span.lowerBound)
      }
      openKeys.append(key)
      key = nil
      frames.append(Frame(tag: tag, isDictionary: tag.element == .dict))
      if tag.isEmpty { finishContainer(end: tag.span.upperBound, inside: nil) }
    case .other, .plist: throw unexpected(tag)
    default:
      try expectValue(tag)
      add(try leaf(tag))
    }
  }

  /// The keys of the containers around, which wait for them.
  private var openKeys: [Key?] = []

  @inline(__always)
  private mutating func readKey(_ tag: PropertyListMarkup.Tag) throws(ConfigError) {
    guard let last = frames.indices.last, frames[last].isDictionary else { throw unexpected(tag) }
    if let key { throw markup.error(.plistValueMissing, ["key": key.text], at: key.span.lowerBound) }
    var text = ""
    if !tag.isEmpty {
      switch try markup.content(of: tag) {
      case .plain(let range): text = keys.text(range, in: markup.text)
      case .composed(let bytes, _): text = String(decoding: bytes, as: UTF8.self)
      }
    }
    key = Key(text: text, span: tag.span.lowerBound..<markup.offset)
  }

  @inline(__always)
  private func expectValue(_ tag: PropertyListMarkup.Tag) throws(ConfigError) {
    guard key == nil, let last = frames.indices.last, frames[last].isDictionary else { return }
    throw markup.error(.plistKeyMissing, ["element": markup.name(of: tag)], at: tag.span.lowerBound)
  }

  private mutating func closeContainer(_ tag: PropertyListMarkup.Tag) throws(ConfigError) {
    guard let open = frames.last?.tag else { throw unexpected(tag) }
    guard markup.isSame(tag, open) else { throw markup.closingError(tag, opened: open) }
    if let key { throw markup.error(.plistValueMissing, ["key": key.text], at: key.span.lowerBound) }
    finishContainer(end: tag.span.upperBound, inside: open.span.upperBound..<tag.span.lowerBound)
  }

  private mutating func finishContainer(end: Int, inside: Range<Int>?) {
    guard let frame = frames.popLast() else { return }
    key = openKeys.popLast() ?? nil
    add(
      PropertyListValue(
        frame.isDictionary ? .dictionary(frame.members) : .array(frame.values),
        span: frame.tag.span.lowerBound..<end, inside: inside))
  }

  @inline(__always)
  private mutating func add(_ value: PropertyListValue) {
    guard let last = frames.indices.last else {
      root = value
      return
    }
    if let key {
      frames[last].members.append(PropertyListMember(key.text, value, keySpan: key.span))
      self.key = nil
    } else {
      frames[last].values.append(value)
    }
  }

  @inline(__always)
  private mutating func leaf(_ tag: PropertyListMarkup.Tag) throws(ConfigError) -> PropertyListValue {
    if tag.isEmpty {
      let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
      return PropertyListValue(try content(tag, none, at: tag.span.lowerBound), span: tag.span, inside: nil)
    }
    switch try markup.content(of: tag) {
    case .plain(let range):
      let bytes = UnsafeBufferPointer(rebasing: markup.text[range])
      let content = try content(tag, bytes, at: range.lowerBound)
      return PropertyListValue(content, span: tag.span.lowerBound..<markup.offset, inside: range)
    case .composed(let text, let inside):
      let value = try text.withUnsafeBufferPointer { (bytes) throws(ConfigError) in
        try content(tag, bytes, at: inside.lowerBound)
      }
      return PropertyListValue(value, span: tag.span.lowerBound..<markup.offset, inside: inside)
    }
  }

  @inline(__always)
  private func content(
    _ tag: PropertyListMarkup.Tag, _ text: UnsafeBufferPointer<UInt8>, at offset: Int
  ) throws(ConfigError) -> PropertyListValue.Content {
    let content: PropertyListValue.Content?
    switch tag.element {
    case .string: return .string(String(decoding: text, as: UTF8.self))
    case .integer: content = PropertyListNumber.integer(text).map { .integer($0) }
    case .real: content = PropertyListNumber.real(text).map { .real($0) }
    case .date: content = PropertyListDate(PropertyListNumber.trimmed(text)).map { .date($0) }
    case .data: content = Base64.decode(loose: text).map { .data($0) }
    default:
      content = text.allSatisfy(PropertyListMarkup.isBlank) ? .boolean(tag.element == .isTrue) : nil
    }
    if let content { return content }
    let excerpt = String(String(decoding: text, as: UTF8.self).prefix(40))
    throw markup.error(.plistValue, ["element": markup.name(of: tag), "text": excerpt], at: offset)
  }
}

/// Keys that were read: most of a large property list stand in it many times, and need not be made again.
struct PropertyListKeyCache {
  private var entries = [(start: Int, text: String)](repeating: (-1, ""), count: 256)

  /// The text of a range; of bytes that are UTF-8.
  @inline(__always)
  mutating func text(_ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> String {
    let count = range.count
    // Short ones are kept without memory of their own.
    guard count > 15 else { return String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self) }
    let raw = UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped) + range.lowerBound
    let head = raw.loadUnaligned(as: UInt64.self)
    let tail = raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    let hash = (head ^ (tail &* 0x9e37_79b9_7f4a_7c15) ^ UInt64(count)) &* 0xff51_afd7_ed55_8ccd
    let slot = Int(hash >> 56)
    let known = entries[slot]
    if known.start >= 0, known.text.utf8.count == count,
      bytes[known.start..<known.start + count].elementsEqual(bytes[range])
    {
      return known.text
    }
    let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    entries[slot] = (range.lowerBound, text)
    return text
  }
}
