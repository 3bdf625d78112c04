import MPaaSSupport

/// Reads the JSON of a catalogue (RFC 8259), with the places of all members.
struct CatalogReader {
  /// The greatest depth of objects and arrays; Xcode's have nine.
  static let deepest = 128

  let text: [UInt8]
  let file: String
  private var offset = 0

  init(_ text: [UInt8], file: String) {
    self.text = text
    self.file = file
  }

  mutating func read() throws(LanguageError) -> CatalogNode {
    let node = try value(depth: 0)
    skipBlank()
    guard offset == text.count else { throw error("text-after-end") }
    return node
  }

  /// Line and column of an offset, in Unicode scalars from 1.
  static func place(_ offset: Int, in text: [UInt8], file: String) -> Place {
    let before = text[..<min(offset, text.count)]
    let start = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    let line = before.reduce(1) { $0 + ($1 == 0x0a ? 1 : 0) }
    let column = before[start...].reduce(1) { $0 + ($1 & 0xc0 == 0x80 ? 0 : 1) }
    return .text(file: file, line: line, column: column)
  }

  private func error(_ reason: String, at place: Int? = nil) -> LanguageError {
    LanguageError(
      .catalogSyntax, ["file": file], at: Self.place(place ?? offset, in: text, file: file),
      details: [.init("text.i18n-reason-\(reason)")])
  }

  private var next: UInt8 { offset < text.count ? text[offset] : 0 }

  private mutating func skipBlank() {
    while offset < text.count, [0x20, 0x0a, 0x0d, 0x09].contains(text[offset]) { offset += 1 }
  }

  private mutating func value(depth: Int) throws(LanguageError) -> CatalogNode {
    skipBlank()
    guard offset < text.count else { throw error("unfinished") }
    switch next {
    case UInt8(ascii: "{"):
      guard depth < Self.deepest else { throw error("too-deep") }
      return .object(try object(depth))
    case UInt8(ascii: "["):
      guard depth < Self.deepest else { throw error("too-deep") }
      return .array(try array(depth))
    case UInt8(ascii: "\""): return .string(try string())
    default: return .word(try word())
    }
  }

  private mutating func object(_ depth: Int) throws(LanguageError) -> CatalogObject {
    let open = offset
    offset += 1
    var members: [CatalogObject.Member] = []
    skipBlank()
    while next != UInt8(ascii: "}") {
      guard next == UInt8(ascii: "\"") else { throw error(offset < text.count ? "no-name" : "unfinished") }
      let start = offset
      let name = try string()
      skipBlank()
      guard next == UInt8(ascii: ":") else { throw error(offset < text.count ? "no-colon" : "unfinished") }
      offset += 1
      let value = try value(depth: depth + 1)
      members.append(CatalogObject.Member(name, value, span: start..<offset))
      skipBlank()
      if next == UInt8(ascii: ",") {
        offset += 1
        skipBlank()
        guard next == UInt8(ascii: "\"") else { throw error(offset < text.count ? "no-name" : "unfinished") }
      } else if next != UInt8(ascii: "}") {
        throw error(offset < text.count ? "no-comma" : "unfinished")
      }
    }
    offset += 1
    return CatalogObject(members, inside: open + 1..<offset - 1)
  }

  private mutating func array(_ depth: Int) throws(LanguageError) -> [CatalogNode] {
    offset += 1
    var values: [CatalogNode] = []
    skipBlank()
    if next == UInt8(ascii: "]") {
      offset += 1
      return []
    }
    while true {
      values.append(try value(depth: depth + 1))
      skipBlank()
      guard offset < text.count else { throw error("unfinished") }
      offset += 1
      if text[offset - 1] == UInt8(ascii: "]") { return values }
      guard text[offset - 1] == UInt8(ascii: ",") else { throw error("no-comma", at: offset - 1) }
    }
  }

  private mutating func word() throws(LanguageError) -> String {
    let start = offset
    while offset < text.count, SourceBytes.isWord(text[offset]) || [0x2b, 0x2d, 0x2e].contains(text[offset]) {
      offset += 1
    }
    let word = String(decoding: text[start..<offset], as: UTF8.self)
    let isNumber = word.utf8.first.map { $0 == 0x2d || (0x30...0x39).contains($0) } == true && Double(word) != nil
    guard ["true", "false", "null"].contains(word) || isNumber else { throw error("no-value", at: start) }
    return word
  }

  private mutating func string() throws(LanguageError) -> String {
    let open = offset
    offset += 1
    var bytes: [UInt8] = []
    while offset < text.count {
      let start = offset
      while offset < text.count, text[offset] != 0x22, text[offset] != 0x5c, text[offset] >= 0x20 { offset += 1 }
      bytes += text[start..<offset]
      guard offset < text.count else { break }
      switch text[offset] {
      case 0x22:
        offset += 1
        return String(decoding: bytes, as: UTF8.self)
      case 0x5c: try escape(&bytes)
      default: throw error("control-character")
      }
    }
    throw error("unfinished-string", at: open)
  }

  private mutating func escape(_ bytes: inout [UInt8]) throws(LanguageError) {
    let start = offset
    offset += 2
    guard offset <= text.count else { throw error("bad-escape", at: start) }
    switch text[offset - 1] {
    case UInt8(ascii: "n"): bytes.append(0x0a)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "r"): bytes.append(0x0d)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0c)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(text[offset - 1])
    case UInt8(ascii: "u"):
      var value = try unit(start)
      if value & 0xfc00 == 0xd800, next == 0x5c, offset + 1 < text.count, text[offset + 1] == UInt8(ascii: "u") {
        offset += 2
        let low = try unit(start)
        value = low & 0xfc00 == 0xdc00 ? 0x10000 + ((value & 0x3ff) << 10 | low & 0x3ff) : 0xfffd
      }
      SourceBytes.append(value, to: &bytes)
    default: throw error("bad-escape", at: start)
    }
  }

  private mutating func unit(_ start: Int) throws(LanguageError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard offset < text.count, let digit = SourceBytes.hex(text[offset]) else { throw error("bad-escape", at: start) }
      value = value << 4 | digit
      offset += 1
    }
    return value
  }
}
