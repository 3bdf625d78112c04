import MPaaSSupport

/// The XML of a property list, tag by tag (XML 1.0, without definitions of one's own).
struct PropertyListMarkup {
  /// The kinds of tags.
  enum Element: Equatable {
    case plist, dict, array, key, string, integer, real, date, data, isTrue, isFalse
    case other
  }

  /// A tag: what it is of and where it stands.
  struct Tag {
    let element: Element
    let span: Range<Int>
    let name: Range<Int>
    let isClosing: Bool
    /// Opened and closed at once: `<array/>`.
    let isEmpty: Bool
  }

  /// Valid as long as the reader is.
  let text: UnsafeBufferPointer<UInt8>
  let file: String
  private(set) var offset = 0

  init(_ text: UnsafeBufferPointer<UInt8>, file: String) {
    self.text = text
    self.file = file
  }

  func name(of tag: Tag) -> String { string(tag.name) }

  func string(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: text[range]), as: UTF8.self)
  }

  func error(_ code: ConfigError.Code, _ values: [String: String] = [:], at offset: Int) -> ConfigError {
    let (line, column) = TextLines.position(of: offset, in: text)
    return ConfigError(
      code, values.merging(["file": file]) { $1 }, at: .text(file: file, line: line, column: column))
  }

  private func starts(with word: StaticString, at position: Int) -> Bool {
    guard text.count - position >= word.utf8CodeUnitCount else { return false }
    for index in 0..<word.utf8CodeUnitCount where text[position + index] != word.utf8Start[index] { return false }
    return true
  }

  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d }

  @inline(__always)
  private static func isName(_ byte: UInt8) -> Bool {
    (0x61...0x7a).contains(byte | 0x20) || (0x30...0x3a).contains(byte) || byte == 0x2d || byte == 0x2e || byte == 0x5f
      || byte >= 0x80
  }

  /// By the bytes of a name of up to eight, one behind the other.
  @inline(__always)
  private static func element(_ name: UInt64) -> Element {
    switch name {
    case 0x6b_6579: .key
    case 0x73_7472_696e_67: .string
    case 0x6469_6374: .dict
    case 0x61_7272_6179: .array
    case 0x69_6e74_6567_6572: .integer
    case 0x7472_7565: .isTrue
    case 0x66_616c_7365: .isFalse
    case 0x7265_616c: .real
    case 0x6461_7465: .date
    case 0x6461_7461: .data
    case 0x70_6c69_7374: .plist
    default: .other
    }
  }

  /// The next tag; nil at the end of the file.
  ///
  /// Between tags there may be blanks, comments, instructions and the document
  /// type.
  @inline(__always)
  mutating func tag() throws(ConfigError) -> Tag? {
    try skipBetween()
    guard offset < text.count else { return nil }
    guard text[offset] == 0x3c else {
      let word = text[offset...].prefix { $0 != 0x3c && $0 != 0x0a }.prefix(40)
      throw error(.plistText, ["text": trimmed(String(decoding: word, as: UTF8.self))], at: offset)
    }
    return try tagHere()
  }

  private func trimmed(_ text: String) -> String {
    var scalars = Array(text.unicodeScalars)
    while let last = scalars.last, last.properties.isWhitespace || last == "\u{fffd}" { scalars.removeLast() }
    return String(String.UnicodeScalarView(scalars))
  }

  /// The tag that begins here.
  private mutating func tagHere() throws(ConfigError) -> Tag {
    let start = offset
    let isClosing = start + 1 < text.count && text[start + 1] == 0x2f
    let nameStart = start + (isClosing ? 2 : 1)
    var end = nameStart
    var word: UInt64 = 0
    while end < text.count, Self.isName(text[end]) {
      word = word << 8 | UInt64(text[end])
      end += 1
    }
    guard end > nameStart else { throw error(.plistMarkup, ["text": excerpt(start)], at: start) }
    let name = nameStart..<end
    let element = name.count > 8 ? .other : Self.element(word)
    if end >= text.count || text[end] != 0x3e { end = try endOfAttributes(from: end, tagStart: start) }
    let isEmpty = text[end - 1] == 0x2f
    guard !(isEmpty && isClosing) else { throw error(.plistMarkup, ["text": excerpt(start)], at: start) }
    offset = end + 1
    return Tag(element: element, span: start..<offset, name: name, isClosing: isClosing, isEmpty: isEmpty)
  }

  /// The offset of the `>` of a tag; attributes say nothing in property lists, but must be well-formed.
  private func endOfAttributes(from start: Int, tagStart: Int) throws(ConfigError) -> Int {
    var position = start
    while position < text.count {
      let byte = text[position]
      switch byte {
      case 0x3e: return position
      case 0x22, 0x27:
        guard let end = text[(position + 1)...].firstIndex(of: byte),
          !text[position..<end].contains(0x3c)
        else { throw error(.plistMarkup, ["text": excerpt(tagStart)], at: tagStart) }
        position = end + 1
      case 0x2f:
        guard position + 1 < text.count, text[position + 1] == 0x3e else {
          throw error(.plistMarkup, ["text": excerpt(tagStart)], at: tagStart)
        }
        position += 1
      case _ where Self.isBlank(byte) || Self.isName(byte) || byte == 0x3d: position += 1
      default: throw error(.plistMarkup, ["text": excerpt(tagStart)], at: tagStart)
      }
    }
    throw error(.plistMarkup, ["text": excerpt(tagStart)], at: tagStart)
  }

  private func excerpt(_ start: Int) -> String {
    trimmed(String(decoding: text[start...].prefix(while: { $0 != 0x0a }).prefix(30), as: UTF8.self))
  }

  @inline(__always)
  private mutating func skipBetween() throws(ConfigError) {
    while offset < text.count {
      if Self.isBlank(text[offset]) {
        offset += 1
      } else if !(try skipMarkup()) {
        return
      }
    }
  }

  /// Skips a comment, an instruction or a document type that begins here; false where none does.
  private mutating func skipMarkup() throws(ConfigError) -> Bool {
    if starts(with: "<!--", at: offset) {
      offset = try end(of: "-->", from: offset + 4)
    } else if starts(with: "<?", at: offset) {
      offset = try end(of: "?>", from: offset + 2)
    } else if starts(with: "<!DOCTYPE", at: offset) {
      try skipDocumentType()
    } else {
      return false
    }
    return true
  }

  /// The offset behind `mark`.
  private func end(of mark: StaticString, from start: Int) throws(ConfigError) -> Int {
    var position = start
    while position < text.count {
      if starts(with: mark, at: position) {
        try check(offset..<position)
        return position + mark.utf8CodeUnitCount
      }
      position += 1
    }
    throw error(.plistMarkup, ["text": excerpt(offset)], at: offset)
  }

  /// A document type may declare nothing: entities of one's own can make a small file large without limit.
  private mutating func skipDocumentType() throws(ConfigError) {
    let start = offset
    var position = start
    while position < text.count {
      switch text[position] {
      case 0x3e:
        try check(start..<position)
        offset = position + 1
        return
      case 0x22, 0x27:
        guard let end = text[(position + 1)...].firstIndex(of: text[position]) else {
          throw error(.plistMarkup, ["text": excerpt(start)], at: start)
        }
        position = end + 1
      case 0x5b: throw error(.plistMarkup, ["text": excerpt(position)], at: position)
      case 0x3c where position > start: throw error(.plistMarkup, ["text": excerpt(position)], at: position)
      default: position += 1
      }
    }
    throw error(.plistMarkup, ["text": excerpt(start)], at: start)
  }

  /// Refuses control characters, which XML does not allow.
  private func check(_ range: Range<Int>) throws(ConfigError) {
    for position in range where text[position] < 0x20 && !Self.isBlank(text[position]) {
      throw error(.plistCharacter, ["character": "U+" + text[position].padded(to: 4, radix: 16)], at: position)
    }
  }
}

// MARK: Text

extension PropertyListMarkup {
  /// The text between the tags of a leaf.
  enum Content {
    /// The text as it stands in the file.
    case plain(Range<Int>)
    /// The bytes that references, sections of characters, comments and ends of lines make of it.
    case composed([UInt8], inside: Range<Int>)

    var inside: Range<Int> {
      switch self {
      case .plain(let range): range
      case .composed(_, let range): range
      }
    }
  }

  /// The text up to the closing tag of `tag`; it is read from behind the opening tag.
  @inline(__always)
  mutating func content(of tag: Tag) throws(ConfigError) -> Content {
    let start = offset
    var position = start
    while position < text.count {
      let byte = text[position]
      if byte == 0x3c || byte == 0x26 || (byte < 0x20 && byte != 0x09 && byte != 0x0a) { break }
      position += 1
    }
    if position + 1 < text.count, text[position] == 0x3c, text[position + 1] == 0x2f {
      offset = position
      try close(tag)
      return .plain(start..<position)
    }
    return try composed(tag)
  }

  private mutating func composed(_ tag: Tag) throws(ConfigError) -> Content {
    let start = offset
    var content: [UInt8] = []
    while offset < text.count {
      let byte = text[offset]
      if byte == 0x26 {
        try appendReference(to: &content)
      } else if byte == 0x3c {
        if starts(with: "<![CDATA[", at: offset) {
          let begin = offset + 9
          offset = try end(of: "]]>", from: begin)
          content += text[begin..<offset - 3]
        } else if !starts(with: "<!DOCTYPE", at: offset), try skipMarkup() {
          continue
        } else {
          let inside = start..<offset
          try close(tag)
          return .composed(content, inside: inside)
        }
      } else {
        let end = text[offset...].firstIndex { $0 == 0x26 || $0 == 0x3c } ?? text.count
        try check(offset..<end)
        appendNormalized(offset..<end, to: &content)
        offset = end
      }
    }
    throw error(.plistUnclosed, ["element": name(of: tag)], at: tag.span.lowerBound)
  }

  /// The ends of lines are one line feed each (XML 1.0, section 2.11).
  private func appendNormalized(_ range: Range<Int>, to content: inout [UInt8]) {
    guard text[range].contains(0x0d) else {
      content += text[range]
      return
    }
    for position in range {
      if text[position] != 0x0d {
        content.append(text[position])
      } else if position + 1 >= text.count || text[position + 1] != 0x0a {
        content.append(0x0a)
      }
    }
  }

  private mutating func close(_ tag: Tag) throws(ConfigError) {
    let found = try tagHere()
    guard found.isClosing, isSame(found, tag) else {
      throw closingError(found, opened: tag)
    }
  }

  @inline(__always)
  func isSame(_ found: Tag, _ tag: Tag) -> Bool {
    found.element == tag.element
      && (tag.element != .other || text[found.name].elementsEqual(text[tag.name]))
  }

  func closingError(_ found: Tag, opened tag: Tag) -> ConfigError {
    let line = TextLines.position(of: tag.span.lowerBound, in: text).line
    return error(
      .plistClosing,
      [
        "found": "<\(found.isClosing ? "/" : "")\(name(of: found))>", "expected": "</\(name(of: tag))>",
        "line": "\(line)",
        "element": name(of: tag),
      ],
      at: found.span.lowerBound)
  }

  private mutating func appendReference(to content: inout [UInt8]) throws(ConfigError) {
    let start = offset
    let body = text[(start + 1)...].prefix(12)
    guard let end = body.firstIndex(of: 0x3b) else {
      throw error(.plistReference, ["text": excerpt(start)], at: start)
    }
    let name = string(start + 1..<end)
    guard let scalar = Self.scalar(of: name) else {
      throw error(.plistReference, ["text": "&\(name);"], at: start)
    }
    content += Array(String(Character(scalar)).utf8)
    offset = end + 1
  }

  /// The character that a reference stands for.
  ///
  /// Numbers of control characters are taken too, as Apple's readers do.
  private static func scalar(of name: String) -> Unicode.Scalar? {
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    guard name.hasPrefix("#") else { return nil }
    let isHex = name.hasPrefix("#x")
    let digits = name.dropFirst(isHex ? 2 : 1)
    guard let first = digits.first, first != "+", first != "-" else { return nil }
    let value = UInt32(digits, radix: isHex ? 16 : 10)
    return value.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
  }
}
