import MPaaSSupport

/// Goes through the bytes once, from the first to the last.
struct JSONSourceReader {
  private let bytes: [UInt8]
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

  private let depth: Int

  init(_ bytes: [UInt8], _ dialect: JSONSource.Dialect, depth: Int) {
    self.bytes = bytes
    self.depth = depth
    self.dialect = dialect
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
      offset = 3
      lineStart = 3
      counted = 3
    }
  }

  mutating func document() throws(JSONSyntaxError) -> JSONNode {
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
  private mutating func position() -> TextPosition { position(at: offset) }

  /// The place of a byte of this line that is not before the one that was asked for last.
  private mutating func position(at offset: Int) -> TextPosition {
    let end = min(offset, bytes.count)
    while counted < end {
      if bytes[counted] & 0xc0 != 0x80 { scalars += 1 }
      counted += 1
    }
    return TextPosition(line: line, column: scalars + 1)
  }

  private mutating func error(
    _ code: JSONSyntaxError.Code, _ detail: String = "", at position: TextPosition? = nil
  ) -> JSONSyntaxError {
    JSONSyntaxError(code: code, detail: detail, position: position ?? self.position())
  }

  private mutating func unexpected() -> JSONSyntaxError {
    guard next != nil else { return error(.unfinished) }
    let found = String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.first
    return error(.unexpected, found.map { String($0) } ?? "")
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
  private mutating func skipSpace() throws(JSONSyntaxError) {
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\n"): newLine()
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
      case UInt8(ascii: "/") where dialect == .annotated: try comment()
      default: return
      }
    }
  }

  private mutating func comment() throws(JSONSyntaxError) {
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
        guard let byte = next else { throw error(.unfinished, at: begin) }
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
  private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONNode {
    try skipSpace()
    let start = position()
    return JSONNode(try content(depth), at: start)
  }

  private mutating func content(_ depth: Int) throws(JSONSyntaxError) -> JSONNode.Content {
    switch next {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < self.depth else { throw error(.tooDeep, String(self.depth)) }
      return next == UInt8(ascii: "{") ? .object(try object(depth)) : .array(try array(depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case let byte? where byte == UInt8(ascii: "-") || byte &- 0x30 < 10: return try number()
    default: throw unexpected()
    }
  }

  private mutating func object(_ depth: Int) throws(JSONSyntaxError) -> [JSONNode.Member] {
    offset += 1
    lastTokenLine = line
    comments = []
    var members = JSONMembers()
    while true {
      try skipSpace()
      if !comments.isEmpty, members.takesComment { members.comment(takeComment(behind: lastTokenLine)) }
      if take("}") { return members.list }
      let member = try member(depth)
      if let known = members.put(member), dialect != .plain {
        throw JSONSyntaxError(code: .nameTwice, detail: member.name, position: member.position, first: known.position)
      }
      try endItem(before: UInt8(ascii: "}"))
    }
  }

  private mutating func member(_ depth: Int) throws(JSONSyntaxError) -> JSONNode.Member {
    guard next == UInt8(ascii: "\"") else { throw unexpected() }
    let start = position()
    let comment = takeComments(above: start.line)
    let name = try string()
    try skipSpace()
    guard take(":") else { throw unexpected() }
    let value = try value(depth: depth + 1)
    return JSONNode.Member(name: name, value: value, position: start, comment: comment)
  }

  private mutating func array(_ depth: Int) throws(JSONSyntaxError) -> [JSONNode] {
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
  private mutating func endItem(before end: UInt8) throws(JSONSyntaxError) {
    lastTokenLine = line
    try skipSpace()
    let hasComma = take(",")
    if hasComma, dialect == .annotated { return }
    try skipSpace()
    guard hasComma != (next == end) else { throw unexpected() }
  }

  private mutating func word(_ word: String, _ value: JSONNode.Content) throws(JSONSyntaxError) -> JSONNode.Content {
    guard bytes[offset...].starts(with: word.utf8) else { throw unexpected() }
    offset += word.utf8.count
    return value
  }

  private mutating func number() throws(JSONSyntaxError) -> JSONNode.Content {
    let start = offset
    while let byte = next, JSONNumber.isPart(byte) { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    guard let number = JSONNumber(text) else { throw error(.badNumber, text, at: position(at: start)) }
    return .number(number)
  }
}

// MARK: Strings

extension JSONSourceReader {
  private mutating func string() throws(JSONSyntaxError) -> String {
    let begin = offset
    offset += 1
    skipPlain()
    if next == UInt8(ascii: "\"") { return try endString(bytes[(begin + 1)..<offset], begin) }
    var text = Array(bytes[(begin + 1)..<offset])
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""): return try endString(text[...], begin)
      case UInt8(ascii: "\\"): text += String(try escape()).utf8
      case 0..<0x20 where dialect == .plain || byte == UInt8(ascii: "\n"):
        throw error(.badString, at: position(at: begin))
      default:
        let start = offset
        offset += 1
        skipPlain()
        text += bytes[start..<offset]
      }
    }
    throw error(.unfinished, at: position(at: begin))
  }

  /// Goes to the next byte that ends a string, or is not in it as it stands.
  private mutating func skipPlain() {
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return }
      offset += 1
    }
  }

  /// Goes behind the quote of a string.
  private mutating func endString(_ text: ArraySlice<UInt8>, _ begin: Int) throws(JSONSyntaxError) -> String {
    offset += 1
    lastTokenLine = line
    guard let string = String(validUTF8: text) else { throw error(.badString, at: position(at: begin)) }
    return string
  }

  private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let begin = offset
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
    default: throw error(.badString, at: position(at: begin))
    }
  }

  /// The scalar of `\uXXXX`, of two of them where the first is the first half of a pair.
  private mutating func scalar(_ begin: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
    let first = try unit(begin)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first & 0xfc00 == 0xd800, bytes[min(offset, bytes.count)...].starts(with: "\\u".utf8) else {
      throw error(.badString, at: position(at: begin))
    }
    offset += 2
    let second = try unit(begin)
    let pair = 0x10000 + (UInt32(first & 0x3ff) << 10 | UInt32(second & 0x3ff))
    guard second & 0xfc00 == 0xdc00, let scalar = Unicode.Scalar(pair) else {
      throw error(.badString, at: position(at: begin))
    }
    return scalar
  }

  private mutating func unit(_ begin: Int) throws(JSONSyntaxError) -> UInt16 {
    let digits = bytes[min(offset, bytes.count)...].prefix(4)
    let text = String(decoding: digits, as: UTF8.self)
    guard digits.count == 4, !text.hasPrefix("+"), !text.hasPrefix("-"), let value = UInt16(text, radix: 16) else {
      throw error(.badString, at: position(at: begin))
    }
    offset += 4
    return value
  }
}
