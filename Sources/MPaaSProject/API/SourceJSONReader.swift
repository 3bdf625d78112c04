import MPaaSSupport

extension SourceJSON {
  /// How many objects and arrays may stand inside each other.
  package static let depth = 64

  /// Reads a document that has nothing behind it but white space and comments.
  ///
  /// - Parameter file: What errors call the file.
  /// - Throws: `GenerationError` with line and column of the first byte that cannot be there.
  package init(_ bytes: [UInt8], file: String) throws(GenerationError) {
    var reader = SourceJSONReader(bytes, file: file)
    self = try reader.document()
  }
}

/// Goes through the bytes once, from the first to the last.
struct SourceJSONReader {
  private let bytes: [UInt8]
  private let file: String
  private var offset = 0
  private var line = 1
  private var lineStart = 0
  /// The comments since the last member, with the line that each begins on and whether something stood before it there.
  private var comments: [Comment] = []
  private var lastTokenLine = 0

  private struct Comment {
    let text: String
    let first: Int
    let last: Int
    let isBehind: Bool
  }

  init(_ bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
      offset = 3
      lineStart = 3
    }
  }

  mutating func document() throws(GenerationError) -> SourceJSON {
    let value = try value(depth: 0)
    try skipSpace()
    guard offset == bytes.count else { throw unexpected() }
    return value
  }
}

// MARK: Places and errors

extension SourceJSONReader {
  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private var position: TextPosition { position(at: offset) }

  /// The place of an offset on the current line.
  private func position(at offset: Int) -> TextPosition {
    let scalars = bytes[lineStart..<max(lineStart, min(offset, bytes.count))].count { $0 & 0xc0 != 0x80 }
    return TextPosition(line: line, column: scalars + 1)
  }

  private func error(
    _ code: GenerationError.Code, _ values: [String: String] = [:], at position: TextPosition? = nil
  ) -> GenerationError {
    let position = position ?? self.position
    return GenerationError(code, values, at: .text(file: file, line: position.line, column: position.column))
  }

  private func unexpected() -> GenerationError {
    guard next != nil else { return error(.scaffoldUnfinished) }
    let found = String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.first
    return error(.scaffoldSyntax, ["found": found.map { String($0) } ?? ""])
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: scalar) else { return false }
    offset += 1
    lastTokenLine = line
    return true
  }

  private mutating func newLine() {
    offset += 1
    line += 1
    lineStart = offset
  }
}

// MARK: White space and comments

extension SourceJSONReader {
  private mutating func skipSpace() throws(GenerationError) {
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\n"): newLine()
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
      case UInt8(ascii: "/"): try comment()
      default: return
      }
    }
  }

  private mutating func comment() throws(GenerationError) {
    let start = offset
    let first = line
    let isBehind = lastTokenLine == line
    let begin = position
    switch bytes[start...].dropFirst().first {
    case UInt8(ascii: "/"):
      while let byte = next, byte != UInt8(ascii: "\n") { offset += 1 }
      keep(bytes[start..<offset].drop { $0 == UInt8(ascii: "/") }, first, isBehind)
    case UInt8(ascii: "*"):
      offset += 2
      while !bytes[offset...].starts(with: Array("*/".utf8)) {
        guard let byte = next else { throw error(.scaffoldUnfinished, at: begin) }
        if byte == UInt8(ascii: "\n") { newLine() } else { offset += 1 }
      }
      keep(bytes[(start + 2)..<offset].drop { $0 == UInt8(ascii: "*") }, first, isBehind)
      offset += 2
    default: throw unexpected()
    }
  }

  private mutating func keep(_ text: ArraySlice<UInt8>, _ first: Int, _ isBehind: Bool) {
    let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).map { line in
      let bare = line.drop { $0.isWhitespace || $0 == "*" }
      return String(bare.reversed().drop(while: \.isWhitespace).reversed())
    }
    let kept = lines.filter { !$0.isEmpty }.joined(separator: "\n")
    guard !kept.isEmpty else { return }
    comments.append(Comment(text: kept, first: first, last: line, isBehind: isBehind))
  }

  /// The comments that end right above `line`, without a blank line between.
  private mutating func takeComments(above line: Int) -> String? {
    defer { comments = [] }
    var kept: [String] = []
    var below = line
    for comment in comments.reversed() {
      guard !comment.isBehind, comment.last == below - 1 || comment.last == below else { break }
      kept.insert(comment.text, at: 0)
      below = comment.first
    }
    return kept.isEmpty ? nil : kept.joined(separator: "\n")
  }

  /// The comment behind what ended on `line`; those for what follows stay.
  private mutating func takeComment(behind line: Int) -> String? {
    guard let index = comments.firstIndex(where: { $0.isBehind && $0.first == line }) else { return nil }
    return comments.remove(at: index).text
  }
}

// MARK: Values

extension SourceJSONReader {
  private mutating func value(depth: Int) throws(GenerationError) -> SourceJSON {
    try skipSpace()
    let start = position
    switch next {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < SourceJSON.depth else { throw error(.scaffoldTooDeep, ["limit": String(SourceJSON.depth)]) }
      let isObject = next == UInt8(ascii: "{")
      return SourceJSON(value: isObject ? .object(try object(depth)) : .array(try array(depth)), position: start)
    case UInt8(ascii: "\""): return SourceJSON(value: .string(try string()), position: start)
    case UInt8(ascii: "t"): return SourceJSON(value: try word("true", .bool(true)), position: start)
    case UInt8(ascii: "f"): return SourceJSON(value: try word("false", .bool(false)), position: start)
    case UInt8(ascii: "n"): return SourceJSON(value: try word("null", .null), position: start)
    case let byte? where byte == UInt8(ascii: "-") || byte &- 0x30 < 10:
      return SourceJSON(value: try number(), position: start)
    default: throw unexpected()
    }
  }

  private mutating func object(_ depth: Int) throws(GenerationError) -> [SourceJSON.Member] {
    offset += 1
    lastTokenLine = line
    comments = []
    var members: [SourceJSON.Member] = []
    var lines: [String: Int] = [:]
    while true {
      try skipSpace()
      if let last = members.indices.last, members[last].comment == nil {
        members[last].comment = takeComment(behind: lastTokenLine)
      }
      if take("}") { return members }
      guard next == UInt8(ascii: "\"") else { throw unexpected() }
      let start = position
      let comment = takeComments(above: start.line)
      let name = try string()
      if let line = lines.updateValue(start.line, forKey: name) {
        throw error(.scaffoldNameTwice, ["name": name, "line": String(line)], at: start)
      }
      try skipSpace()
      guard take(":") else { throw unexpected() }
      let value = try value(depth: depth + 1)
      members.append(SourceJSON.Member(name: name, position: start, value: value, comment: comment))
      guard try endOfItem(UInt8(ascii: "}")) else { continue }
    }
  }

  private mutating func array(_ depth: Int) throws(GenerationError) -> [SourceJSON] {
    offset += 1
    lastTokenLine = line
    var elements: [SourceJSON] = []
    while true {
      try skipSpace()
      if take("]") { return elements }
      elements.append(try value(depth: depth + 1))
      guard try endOfItem(UInt8(ascii: "]")) else { continue }
    }
  }

  /// Takes the comma behind a member or an element; false where there was one, true where the end comes next.
  private mutating func endOfItem(_ end: UInt8) throws(GenerationError) -> Bool {
    lastTokenLine = line
    try skipSpace()
    if take(",") { return false }
    guard next == end else { throw unexpected() }
    return true
  }

  private mutating func word(_ word: String, _ value: SourceJSON.Value) throws(GenerationError) -> SourceJSON.Value {
    guard bytes[offset...].starts(with: word.utf8) else { throw unexpected() }
    offset += word.utf8.count
    return value
  }

  private mutating func number() throws(GenerationError) -> SourceJSON.Value {
    let start = offset
    let allowed = Set("+-.eE0123456789".utf8)
    while let byte = next, allowed.contains(byte) { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let isWhole = digits.utf8.allSatisfy { $0 &- 0x30 < 10 }
    let isPadded = digits.count > 1 && digits.hasPrefix("0") && !["0.", "0e", "0E"].contains { digits.hasPrefix($0) }
    let isPlain = digits.first?.isNumber == true && !isPadded
    guard isPlain, text.utf8.last.map({ $0 &- 0x30 < 10 }) == true, let value = Double(text), value.isFinite else {
      throw error(.scaffoldBadNumber, ["found": text], at: position(at: start))
    }
    return .number(text, isWhole: isWhole)
  }
}

// MARK: Strings

extension SourceJSONReader {
  private mutating func string() throws(GenerationError) -> String {
    let begin = position
    offset += 1
    var text: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        lastTokenLine = line
        guard let string = String(validating: text, as: UTF8.self) else {
          throw error(.scaffoldBadString, at: begin)
        }
        return string
      case UInt8(ascii: "\\"): text += String(try escape()).utf8
      case UInt8(ascii: "\n"): throw error(.scaffoldBadString, at: begin)
      default:
        text.append(byte)
        offset += 1
      }
    }
    throw error(.scaffoldUnfinished, at: begin)
  }

  private mutating func escape() throws(GenerationError) -> Unicode.Scalar {
    let begin = position
    let code = bytes[offset...].dropFirst().first
    offset += 2
    switch code {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try scalar(begin)
    default: throw error(.scaffoldBadString, at: begin)
    }
  }

  /// The scalar of `\uXXXX`, of two of them where the first is the first half of a pair.
  private mutating func scalar(_ begin: TextPosition) throws(GenerationError) -> Unicode.Scalar {
    let first = try unit(begin)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first & 0xfc00 == 0xd800, bytes[min(offset, bytes.count)...].starts(with: Array("\\u".utf8)) else {
      throw error(.scaffoldBadString, at: begin)
    }
    offset += 2
    let second = try unit(begin)
    let pair = 0x10000 + (UInt32(first & 0x3ff) << 10 | UInt32(second & 0x3ff))
    guard second & 0xfc00 == 0xdc00, let scalar = Unicode.Scalar(pair) else {
      throw error(.scaffoldBadString, at: begin)
    }
    return scalar
  }

  private mutating func unit(_ begin: TextPosition) throws(GenerationError) -> UInt16 {
    let digits = bytes[min(offset, bytes.count)...].prefix(4)
    let text = String(decoding: digits, as: UTF8.self)
    guard digits.count == 4, !text.hasPrefix("+"), !text.hasPrefix("-"), let value = UInt16(text, radix: 16) else {
      throw error(.scaffoldBadString, at: begin)
    }
    offset += 4
    return value
  }
}
