import MPaaSConfig

/// The layout of the text of a project: what an edit copies from its neighbors.
struct PBXLayout: Sendable {
  let bytes: [UInt8]
  let newline: String
  /// The indentation of one level.
  let unit: String

  init(_ tape: OldStyleTape) {
    let bytes = tape.bytes
    self.bytes = bytes
    let end = bytes.firstIndex(of: 0x0a)
    newline = end.map { $0 > 0 && bytes[$0 - 1] == 0x0d } == true ? "\r\n" : "\n"
    var unit = "\t"
    if let first = tape.children(of: 0).first(where: { _ in true }) {
      let start = Int(tape.nodes[first].start)
      let line = Self.lineStart(bytes, start)
      if line < start, bytes[line..<start].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
        unit = String(decoding: bytes[line..<start], as: UTF8.self)
      }
    }
    self.unit = unit
  }

  static func lineStart(_ bytes: [UInt8], _ offset: Int) -> Int {
    var start = offset
    while start > 0, bytes[start - 1] != 0x0a { start -= 1 }
    return start
  }

  /// Behind the end of the line that `offset` is on.
  func nextLine(_ offset: Int) -> Int {
    var end = offset
    while end < bytes.count, bytes[end] != 0x0a { end += 1 }
    return min(end + 1, bytes.count)
  }

  func lineStart(_ offset: Int) -> Int { Self.lineStart(bytes, offset) }

  /// The blanks that the line of `offset` begins with.
  func indent(at offset: Int) -> String {
    let start = lineStart(offset)
    return String(decoding: bytes[start..<offset].prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
  }

  /// Tells whether nothing but blanks stands before `offset` on its line.
  func isFirst(_ offset: Int) -> Bool {
    bytes[lineStart(offset)..<offset].allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }

  func hasNewline(_ range: Range<Int>) -> Bool { bytes[range].contains(0x0a) }

  /// Behind the blanks and comments that follow `offset`.
  func behindComments(_ offset: Int) -> Int {
    var position = offset
    while position < bytes.count {
      let byte = bytes[position]
      if byte == 0x20 || (0x09...0x0d).contains(byte) {
        position += 1
      } else if byte == 0x2f, position + 1 < bytes.count, bytes[position + 1] == 0x2a {
        position = closeOfComment(position + 2)
      } else if byte == 0x2f, position + 1 < bytes.count, bytes[position + 1] == 0x2f {
        position = nextLine(position)
      } else {
        break
      }
    }
    return position
  }

  private func closeOfComment(_ start: Int) -> Int {
    var position = start
    while position + 1 < bytes.count, bytes[position] != 0x2a || bytes[position + 1] != 0x2f { position += 1 }
    return min(position + 2, bytes.count)
  }

  /// The comment behind a value on the same line, with the blank before it; empty where there is none.
  func comment(behind offset: Int) -> Range<Int> {
    var position = offset
    while position < bytes.count, bytes[position] == 0x20 { position += 1 }
    guard position + 1 < bytes.count, bytes[position] == 0x2f, bytes[position + 1] == 0x2a else {
      return offset..<offset
    }
    return offset..<closeOfComment(position + 2)
  }

  /// Behind the sign that ends an entry; nil where it is missing.
  func terminator(_ offset: Int) -> Int? {
    let position = behindComments(offset)
    guard position < bytes.count, bytes[position] == 0x3b || bytes[position] == 0x2c else { return nil }
    return position + 1
  }

  /// The range that goes away with an entry from `start` to the end of its value: whole lines where nothing else is on
  /// them.
  func extent(_ start: Int, _ end: Int) -> Range<Int> {
    let end = terminator(end) ?? comment(behind: end).upperBound
    var rest = comment(behind: end).upperBound
    while rest < bytes.count, bytes[rest] == 0x20 || bytes[rest] == 0x09 || bytes[rest] == 0x0d { rest += 1 }
    let endsLine = rest == bytes.count || bytes[rest] == 0x0a
    if isFirst(start), endsLine { return lineStart(start)..<min(rest + 1, bytes.count) }
    return start..<(endsLine ? end : rest)
  }
}
