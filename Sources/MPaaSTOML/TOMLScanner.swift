/// Goes through a TOML text once and notes where its keys and values stand (TOML 1.0.0).
///
/// It is as lenient as can be, since the library judges the text too; but what it cannot follow is no TOML.
struct TOMLScanner {
  /// A byte that no TOML can have there.
  struct Fault: Error {
    /// Bytes before it.
    let offset: Int
    /// From 1.
    let line: Int
    /// From 1, in bytes.
    let column: Int
  }

  private typealias Step = TOMLOutline.Step

  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1
  private var entries: [TOMLOutline.Entry] = []
  /// The table that the lines are in.
  private var table: [Step] = []
  /// The number of elements of each array of tables has so far.
  private var elements: [[Step]: Int] = [:]

  /// The greatest depth of brackets; the library refuses less.
  private static let depthLimit = 300

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  static func outline(_ text: String) throws(Fault) -> TOMLOutline {
    var scanner = TOMLScanner(Array(text.utf8))
    if scanner.bytes.starts(with: [0xef, 0xbb, 0xbf]) { scanner.offset = 3 }
    while scanner.offset < scanner.bytes.count {
      guard scanner.statement() else { throw scanner.fault }
    }
    return TOMLOutline(entries: scanner.entries)
  }

  private var fault: Fault {
    let offset = min(offset, bytes.count)
    let lineStart = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return Fault(offset: offset, line: line, column: offset - lineStart + 1)
  }

  // MARK: - Lines

  /// Takes a header, a pair, a comment or an empty line with its line end; false where it is none.
  private mutating func statement() -> Bool {
    skipSpace()
    guard let byte = peek() else { return true }
    switch byte {
    case UInt8(ascii: "#"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return lineEnd()
    case UInt8(ascii: "["): return header()
    default: return pair(in: table, depth: 0, kind: .pair)
    }
  }

  private mutating func header() -> Bool {
    let (start, first) = (offset, line)
    offset += 1
    let isElement = take("[")
    skipSpace()
    guard let keys = key(), take("]"), !isElement || take("]") else { return false }
    var path: [Step] = []
    for (index, key) in keys.enumerated() {
      path.append(.key(key))
      let isLast = index == keys.count - 1
      if isElement, isLast {
        path.append(.element(elements[path, default: 0]))
        elements[Array(path.dropLast()), default: 0] += 1
      } else if let count = elements[path] {
        path.append(.element(count - 1))
      }
    }
    table = path
    guard lineEnd() else { return false }
    entries.append(
      TOMLOutline.Entry(
        kind: isElement ? .element : .table, path: path, ownSteps: 0, line: first, start: start, value: start..<start,
        end: offset))
    return true
  }

  private mutating func pair(in table: [Step], depth: Int, kind: TOMLOutline.Kind) -> Bool {
    let (start, first, index) = (offset, line, entries.count)
    guard let keys = key(), take("=") else { return false }
    skipSpace()
    let path = table + keys.map(Step.key)
    let valueStart = offset
    guard value(of: path, depth: depth) else { return false }
    let range = valueStart..<offset
    if kind == .pair, !lineEnd() { return false }
    // Before the members of an inline table, which were noted while the value was gone through.
    entries.insert(
      TOMLOutline.Entry(
        kind: kind, path: path, ownSteps: keys.count, line: first, start: start, value: range, end: offset),
      at: index)
    return true
  }

  /// Takes what may follow a value: space, a comment, and the line's end or the text's.
  private mutating func lineEnd() -> Bool {
    skipSpace()
    if peek() == UInt8(ascii: "#") { skip { $0 != UInt8(ascii: "\n") } }
    if peek() == UInt8(ascii: "\r") { offset += 1 }
    guard let byte = peek() else { return true }
    guard byte == UInt8(ascii: "\n") else { return false }
    line += 1
    offset += 1
    return true
  }

  // MARK: - Keys

  /// A key with its dots and the space behind it.
  private mutating func key() -> [String]? {
    var keys: [String] = []
    repeat {
      skipSpace()
      guard let part = keyPart() else { return nil }
      keys.append(part)
      skipSpace()
    } while take(".")
    return keys
  }

  private mutating func keyPart() -> String? {
    let start = offset
    switch peek() {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let quote = bytes[start]
      guard string(quote) else { return nil }
      let inner = bytes[(start + 1)..<(offset - 1)]
      return quote == UInt8(ascii: "'") ? String(decoding: inner, as: UTF8.self) : TOMLKey.unescaped(inner)
    default:
      skip(while: TOMLKey.isBare)
      return offset > start ? String(decoding: bytes[start..<offset], as: UTF8.self) : nil
    }
  }

  // MARK: - Values

  private mutating func value(of path: [Step], depth: Int) -> Bool {
    guard depth < Self.depthLimit else { return false }
    switch peek() {
    case nil: return false
    case UInt8(ascii: "\""): return string(UInt8(ascii: "\""))
    case UInt8(ascii: "'"): return string(UInt8(ascii: "'"))
    case UInt8(ascii: "["): return array(path, depth: depth)
    case UInt8(ascii: "{"): return inlineTable(path, depth: depth)
    default:
      let start = offset
      skip { !",]}#\n\r".utf8.contains($0) }
      while offset > start, " \t".utf8.contains(bytes[offset - 1]) { offset -= 1 }
      if let digit = Self.loneDigit(bytes[start..<offset]) {
        offset = digit
        return false
      }
      return offset > start
    }
  }

  /// The place where a digit stands alone behind a date and a space, as in `2024-05-01 1`: no time, and nothing that
  /// the library is ready for; nil where there is no such digit.
  private static func loneDigit(_ scalar: ArraySlice<UInt8>) -> Int? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let space = scalar.firstIndex(of: UInt8(ascii: " ")), space + 1 < scalar.endIndex,
      digits.contains(scalar[space + 1]), scalar[..<space].contains(UInt8(ascii: "-"))
    else { return nil }
    let isAlone = space + 2 == scalar.endIndex || " \t".utf8.contains(scalar[space + 2])
    return isAlone ? space + 1 : nil
  }

  /// Takes a string of one line or of several.
  private mutating func string(_ quote: UInt8) -> Bool {
    let isMultiline = bytes[offset...].starts(with: [quote, quote, quote])
    offset += isMultiline ? 3 : 1
    while let byte = peek() {
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        offset += 1
        // An escaped line end is a line end too.
        guard peek() != nil else { return false }
        if peek() == UInt8(ascii: "\n") { line += 1 }
        offset += 1
      } else if byte == quote, !isMultiline {
        offset += 1
        return true
      } else if byte == quote, bytes[offset...].starts(with: [quote, quote, quote]) {
        offset += 3
        // Up to two quotes may stand right before the closing ones.
        for _ in 0..<2 where peek() == quote { offset += 1 }
        return true
      } else {
        if byte == UInt8(ascii: "\n") {
          guard isMultiline else { return false }
          line += 1
        }
        offset += 1
      }
    }
    return false
  }

  private mutating func array(_ path: [Step], depth: Int) -> Bool {
    offset += 1
    // Nothing is noted of tables inside arrays: no path leads to them.
    let known = entries.count
    defer { entries.removeSubrange(known...) }
    while true {
      skipLines()
      if take("]") { return true }
      guard value(of: path, depth: depth + 1) else { return false }
      skipLines()
      guard take(",") || peek() == UInt8(ascii: "]") else { return false }
    }
  }

  private mutating func inlineTable(_ path: [Step], depth: Int) -> Bool {
    offset += 1
    while true {
      skipLines()
      if take("}") { return true }
      guard pair(in: path, depth: depth + 1, kind: .member) else { return false }
      skipLines()
      guard take(",") || peek() == UInt8(ascii: "}") else { return false }
    }
  }

  // MARK: - Bytes

  private func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func skip(while holds: (UInt8) -> Bool) {
    while offset < bytes.count, holds(bytes[offset]) { offset += 1 }
  }

  private mutating func skipSpace() { skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

  /// Skips space, line ends and comments, as they may stand between the elements of an array.
  private mutating func skipLines() {
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
      case UInt8(ascii: "\n"):
        line += 1
        offset += 1
      case UInt8(ascii: "#"): skip { $0 != UInt8(ascii: "\n") }
      default: return
      }
    }
  }
}
