import MPaaSSupport

/// Goes through the bytes once, from the first to the last.
struct JSONSourceReader {
  private let bytes: [UInt8]
  private let file: String
  private let dialect: JSONSource.Dialect
  private var offset = 0
  private var line = 1
  private var lineStart = 0
  /// The counted scalars of this line, and their number.
  private var counted = 0
  private var scalars = 0
  /// The comments since the last member, with the line that each begins on and whether something stood before it there.
  private var comments: [Comment] = []
  private var lastTokenLine = 0

  private struct Comment {
    let text: String
    let first: Int
    let last: Int
    let isBehind: Bool
  }

  init(_ bytes: [UInt8], file: String, _ dialect: JSONSource.Dialect) {
    self.bytes = bytes
    self.file = file
    self.dialect = dialect
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
      offset = 3
      lineStart = 3
      counted = 3
    }
  }

  mutating func document() throws(GenerationError) -> JSONNode {
    let value = try value(depth: 0)
    try skipSpace()
    guard offset == bytes.count else { throw unexpected() }
    return value
  }
}

// MARK: Places and errors

extension JSONSourceReader {
  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// The place of the reader; it counts on from where it was asked last, since a document may be one line of megabytes.
  private mutating func position() -> TextPosition {
    let end = max(counted, min(offset, bytes.count))
    scalars += bytes[counted..<end].count { $0 & 0xc0 != 0x80 }
    counted = end
    return TextPosition(line: line, column: scalars + 1)
  }

  private mutating func error(
    _ code: GenerationError.Code, _ values: [String: String] = [:], at position: TextPosition? = nil
  ) -> GenerationError {
    let position = position ?? self.position()
    return GenerationError(code, values, at: .text(file: file, line: position.line, column: position.column))
  }

  private mutating func unexpected() -> GenerationError {
    guard next != nil else { return error(.sourceUnfinished) }
    let found = String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.first
    return error(.sourceSyntax, ["found": found.map { String($0) } ?? ""])
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
    counted = offset
    scalars = 0
  }
}

// MARK: White space and comments

extension JSONSourceReader {
  private mutating func skipSpace() throws(GenerationError) {
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\n"): newLine()
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
      case UInt8(ascii: "/") where dialect == .annotated: try comment()
      default: return
      }
    }
  }

  private mutating func comment() throws(GenerationError) {
    let start = offset
    let first = line
    let isBehind = lastTokenLine == line
    let begin = position()
    switch bytes[start...].dropFirst().first {
    case UInt8(ascii: "/"):
      while let byte = next, byte != UInt8(ascii: "\n") { offset += 1 }
      keep(bytes[start..<offset].drop { $0 == UInt8(ascii: "/") }, first, isBehind)
    case UInt8(ascii: "*"):
      offset += 2
      while !bytes[offset...].starts(with: "*/".utf8) {
        guard let byte = next else { throw error(.sourceUnfinished, at: begin) }
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

extension JSONSourceReader {
  private mutating func value(depth: Int) throws(GenerationError) -> JSONNode {
    try skipSpace()
    let start = position()
    return JSONNode(try content(depth), at: start)
  }

  private mutating func content(_ depth: Int) throws(GenerationError) -> JSONNode.Content {
    switch next {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < dialect.depth else { throw error(.sourceTooDeep, ["limit": String(dialect.depth)]) }
      return next == UInt8(ascii: "{") ? .object(try object(depth)) : .array(try array(depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case let byte? where byte == UInt8(ascii: "-") || byte &- 0x30 < 10: return try number()
    default: throw unexpected()
    }
  }

  private mutating func object(_ depth: Int) throws(GenerationError) -> [JSONNode.Member] {
    offset += 1
    lastTokenLine = line
    comments = []
    var members: [JSONNode.Member] = []
    var indexes: [String: Int] = [:]
    while true {
      try skipSpace()
      if let last = members.indices.last, members[last].comment == nil {
        members[last].comment = takeComment(behind: lastTokenLine)
      }
      if take("}") { return members }
      let member = try member(depth)
      if let known = indexes[member.name] {
        guard dialect == .plain else {
          throw error(
            .scaffoldNameTwice, ["name": member.name, "line": String(members[known].position.line)], at: member.position
          )
        }
        members[known] = member
      } else {
        indexes[member.name] = members.count
        members.append(member)
      }
      try endItem(before: UInt8(ascii: "}"))
    }
  }
  private mutating func member(_ depth: Int) throws(GenerationError) -> JSONNode.Member {
    guard next == UInt8(ascii: "\"") else { throw unexpected() }
    let start = position()
    let comment = takeComments(above: start.line)
    let name = try string()
    try skipSpace()
    guard take(":") else { throw unexpected() }
    let value = try value(depth: depth + 1)
    return JSONNode.Member(name: name, value: value, position: start, comment: comment)
  }

  private mutating func array(_ depth: Int) throws(GenerationError) -> [JSONNode] {
    offset += 1
    lastTokenLine = line
    var elements: [JSONNode] = []
    while true {
      try skipSpace()
      if take("]") { return elements }
      elements.append(try value(depth: depth + 1))
      try endItem(before: UInt8(ascii: "]"))
    }
  }

  /// Takes the comma behind a member or an element where there is one; else the end must come next.
  private mutating func endItem(before end: UInt8) throws(GenerationError) {
    lastTokenLine = line
    try skipSpace()
    let hasComma = take(",")
    if hasComma, dialect == .annotated { return }
    try skipSpace()
    guard hasComma != (next == end) else { throw unexpected() }
  }

  private mutating func word(_ word: String, _ value: JSONNode.Content) throws(GenerationError) -> JSONNode.Content {
    guard bytes[offset...].starts(with: word.utf8) else { throw unexpected() }
    offset += word.utf8.count
    return value
  }

  private static let numberBytes = Set("+-.eE0123456789".utf8)

  private mutating func number() throws(GenerationError) -> JSONNode.Content {
    let begin = position()
    let start = offset
    while let byte = next, Self.numberBytes.contains(byte) { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    let whole = digits.prefix { $0 &- 0x30 < 10 }
    // RFC 8259 section 6: digits on both sides of the point, no zeros in front; all else Double refuses.
    let isPlain = whole.count == 1 || whole.first.map { $0 != UInt8(ascii: "0") } == true
    let hasFraction =
      digits.dropFirst(whole.count).first != UInt8(ascii: ".")
      || digits.dropFirst(whole.count + 1).first.map { $0 &- 0x30 < 10 } == true
    guard isPlain, hasFraction, let value = Double(text), let number = JSONValue(value) else {
      throw error(.sourceBadNumber, ["found": text], at: begin)
    }
    let isWhole = whole.count == digits.count
    guard isWhole else { return .number(number, isWhole: false) }
    let exact = UInt64(text).map { JSONValue($0) } ?? Int64(text).flatMap { $0 < 0 ? JSONValue($0) : nil }
    return .number(exact ?? number, isWhole: true)
  }
}

// MARK: Strings

extension JSONSourceReader {
  private mutating func string() throws(GenerationError) -> String {
    let begin = position()
    offset += 1
    var text: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        lastTokenLine = line
        guard let string = String(validating: text, as: UTF8.self) else {
          throw error(.sourceBadString, at: begin)
        }
        return string
      case UInt8(ascii: "\\"): text += String(try escape()).utf8
      case 0..<0x20 where dialect == .plain || byte == UInt8(ascii: "\n"): throw error(.sourceBadString, at: begin)
      default:
        text.append(byte)
        offset += 1
      }
    }
    throw error(.sourceUnfinished, at: begin)
  }

  private mutating func escape() throws(GenerationError) -> Unicode.Scalar {
    let begin = position()
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
    default: throw error(.sourceBadString, at: begin)
    }
  }

  /// The scalar of `\uXXXX`, of two of them where the first is the first half of a pair.
  private mutating func scalar(_ begin: TextPosition) throws(GenerationError) -> Unicode.Scalar {
    let first = try unit(begin)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first & 0xfc00 == 0xd800, bytes[min(offset, bytes.count)...].starts(with: "\\u".utf8) else {
      throw error(.sourceBadString, at: begin)
    }
    offset += 2
    let second = try unit(begin)
    let pair = 0x10000 + (UInt32(first & 0x3ff) << 10 | UInt32(second & 0x3ff))
    guard second & 0xfc00 == 0xdc00, let scalar = Unicode.Scalar(pair) else {
      throw error(.sourceBadString, at: begin)
    }
    return scalar
  }

  private mutating func unit(_ begin: TextPosition) throws(GenerationError) -> UInt16 {
    let digits = bytes[min(offset, bytes.count)...].prefix(4)
    let text = String(decoding: digits, as: UTF8.self)
    guard digits.count == 4, !text.hasPrefix("+"), !text.hasPrefix("-"), let value = UInt16(text, radix: 16) else {
      throw error(.sourceBadString, at: begin)
    }
    offset += 4
    return value
  }
}
