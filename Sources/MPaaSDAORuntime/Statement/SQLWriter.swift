/// SQL as it grows, with the values of its question marks.
///
/// White space outside of literals and comments becomes one space, so that a statement is the same text however its
/// document is laid out.
package struct SQLWriter {
  /// The kind of text that the end of the SQL lies in.
  package enum State: Sendable, Hashable {
    case plain
    /// A text or a name that ends with the byte.
    case quoted(UInt8)
    case lineComment, blockComment
  }

  /// A state to go back to.
  package struct Mark {
    fileprivate let count: Int
    fileprivate let bindingCount: Int
    fileprivate let state: State
  }

  /// The byte that stands for the table's name, which XML cannot contain.
  package static let tableMark: UInt8 = 0

  private(set) var bytes: [UInt8] = []
  package var bindings: [DAOValue] = []
  package private(set) var state = State.plain
  /// The table's name; nil where there is none.
  private let table: [UInt8]?
  /// True once the table was asked for and is not there.
  private(set) var lacksTable = false

  package init(table: String?) {
    self.table = table.map { Array($0.utf8) }
    bytes.reserveCapacity(256)
  }

  var mark: Mark { Mark(count: bytes.count, bindingCount: bindings.count, state: state) }
  var count: Int { bytes.count }

  mutating func restore(_ mark: Mark) {
    bytes.removeSubrange(mark.count...)
    bindings.removeSubrange(mark.bindingCount...)
    state = mark.state
  }

  /// The SQL without white space at its end.
  package mutating func finish() -> String {
    while bytes.last == 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Writing

  /// Appends SQL; a byte of 0 is the table's name.
  package mutating func write(_ sql: [UInt8]) { sql.withUnsafeBufferPointer { write($0) } }

  /// Appends SQL as it stands in the program's memory.
  mutating func write(_ sql: UnsafeBufferPointer<UInt8>) {
    for byte in sql {
      if byte == SQLWriter.tableMark {
        if let table { bytes += table } else { lacksTable = true }
      } else {
        put(byte)
      }
    }
  }

  mutating func space() {
    if state == .plain { put(0x20) }
  }

  private mutating func put(_ byte: UInt8) {
    switch state {
    case .plain: putPlain(byte)
    case .quoted(let end):
      bytes.append(byte)
      if byte == end { state = .plain }
    case .lineComment:
      bytes.append(byte)
      if byte == UInt8(ascii: "\n") { state = .plain }
    case .blockComment:
      if byte == UInt8(ascii: "/"), bytes.last == UInt8(ascii: "*") { state = .plain }
      bytes.append(byte)
    }
  }

  private mutating func putPlain(_ byte: UInt8) {
    switch byte {
    case 0...0x20:
      if let last = bytes.last, last != 0x20, last != UInt8(ascii: "\n") { bytes.append(0x20) }
      return
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): state = .quoted(byte)
    case UInt8(ascii: "["): state = .quoted(UInt8(ascii: "]"))
    case UInt8(ascii: "-"): if bytes.last == byte { state = .lineComment }
    case UInt8(ascii: "*"): if bytes.last == UInt8(ascii: "/") { state = .blockComment }
    default: break
    }
    bytes.append(byte)
  }

  mutating func bind(_ value: DAOValue) {
    put(UInt8(ascii: "?"))
    bindings.append(value)
  }

  // MARK: Values

  /// Appends a text as SQL: inside of a literal that is open, as a part of it; a literal of its own otherwise.
  mutating func inline(text: String) {
    let utf8 = Array(text.utf8)
    switch state {
    case .quoted(let end) where end != UInt8(ascii: "]"): append(utf8, doubling: end)
    case .plain:
      bytes.append(UInt8(ascii: "'"))
      append(utf8, doubling: UInt8(ascii: "'"))
      bytes.append(UInt8(ascii: "'"))
    default: bytes += utf8
    }
  }

  private mutating func append(_ text: [UInt8], doubling quote: UInt8) {
    for byte in text {
      bytes.append(byte)
      if byte == quote { bytes.append(byte) }
    }
  }

  /// Appends digits or other SQL that has no quotes to be told apart.
  mutating func inline(raw: String) {
    bytes += raw.utf8
  }

  // MARK: Trimming

  /// Removes white space at both ends of what was written since `start`.
  ///
  /// - Returns: Whether anything is left.
  mutating func trim(from start: Int) -> Bool {
    while bytes.count > start, bytes[bytes.count - 1] == 0x20 { bytes.removeLast() }
    if bytes.count > start, bytes[start] == 0x20 { bytes.remove(at: start) }
    return bytes.count > start
  }

  /// Removes the first of `overrides` that what was written since `start` begins with: a word only where it ends there.
  mutating func removePrefix(_ overrides: [[UInt8]], from start: Int) {
    for word in overrides where bytes.count - start >= word.count {
      let end = start + word.count
      guard Self.isSame(bytes[start..<end], word) else { continue }
      if Self.isWord(word[word.count - 1]), end < bytes.count, Self.isWord(bytes[end]) { continue }
      bytes.removeSubrange(start..<end)
      return
    }
  }

  mutating func removeSuffix(_ overrides: [[UInt8]], from start: Int) {
    for word in overrides where bytes.count - start >= word.count {
      let begin = bytes.count - word.count
      guard Self.isSame(bytes[begin...], word) else { continue }
      if Self.isWord(word[0]), begin > start, Self.isWord(bytes[begin - 1]) { continue }
      bytes.removeSubrange(begin...)
      return
    }
  }

  private static func isSame(_ part: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
    part.elementsEqual(word) { ($0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0) == $1 }
  }

  private static func isWord(_ byte: UInt8) -> Bool { DAOName.isPart(byte) }
}
