/// The screen of a terminal: enough of one to see what a program drew.
///
/// - Source: ECMA-48; xterm's alternate screen and modes.
public struct TerminalScreen: Sendable {
  /// The width of the screen in cells.
  public let columns: Int
  /// The height of the screen in lines.
  public let rows: Int
  private var cells: [[String]]
  private var row = 0
  private var column = 0
  private var pending: [UInt8] = []
  /// The usual screen while the alternate one is shown.
  private var usual: (cells: [[String]], row: Int, column: Int)?
  /// The modes that are on, such as 1049 and 2004.
  public private(set) var modes: Set<Int> = [25]
  /// Everything that came, escape sequences too.
  public private(set) var raw = ""

  /// Makes an empty screen with the cursor in its upper left corner.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  /// The lines without blanks at their ends.
  public var lines: [String] {
    cells.map { line in
      var text = Substring(line.joined())
      while text.last == " " { text.removeLast() }
      return String(text)
    }
  }

  /// The lines of the screen, joined by line feeds.
  public var text: String { lines.joined(separator: "\n") }
  /// The place of the cursor, from 0; a column as great as `columns` is behind the last cell.
  public var cursor: (row: Int, column: Int) { (row, column) }
  /// True while the alternate screen is shown.
  public var isAlternate: Bool { usual != nil }

  /// Takes the next bytes that a program has written; incomplete sequences wait for their rest.
  public mutating func feed(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    while let (token, count) = Self.token(pending) {
      pending.removeFirst(count)
      raw += token
      obey(token)
    }
  }

  /// A control sequence or a character; nil where more has to come.
  private static func token(_ bytes: [UInt8]) -> (String, Int)? {
    guard let first = bytes.first else { return nil }
    var length = 1
    if first == 0x1b {
      guard bytes.count > 1 else { return nil }
      length = 2
      if bytes[1] == UInt8(ascii: "[") {
        guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40..<0x7f).contains($0) }) else { return nil }
        length = end + 1
      } else if bytes[1] == UInt8(ascii: "(") {
        // The designation of a character set has one more byte.
        length = 3
      }
    } else if first >= 0xc0 {
      length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
    }
    guard bytes.count >= length else { return nil }
    return (String(decoding: bytes[..<length], as: UTF8.self), length)
  }

  private mutating func obey(_ token: String) {
    switch token {
    case "\r": column = 0
    case "\n", "\r\n": newLine()
    case "\u{8}": column = max(column - 1, 0)
    case _ where token.hasPrefix("\u{1b}["): control(String(token.dropFirst(2)))
    case _ where token.hasPrefix("\u{1b}"): break
    default: put(token)
    }
  }

  private mutating func newLine() {
    row += 1
    guard row == rows else { return }
    row -= 1
    cells.removeFirst()
    cells.append(Array(repeating: " ", count: columns))
  }

  private mutating func put(_ text: String) {
    guard let scalar = text.unicodeScalars.first, scalar.value >= 0x20 else { return }
    let isMark = [.nonspacingMark, .enclosingMark, .format].contains(scalar.properties.generalCategory)
    if isMark {
      if column > 0 { cells[row][column - 1] += text }
      return
    }
    let isWide =
      (0x1100...0x115f).contains(scalar.value) || (0x2e80...0xa4cf).contains(scalar.value)
      || (0xac00...0xd7a3).contains(scalar.value) || (0xf900...0xfaff).contains(scalar.value)
      || (0xfe30...0xfe6f).contains(scalar.value) || (0xff00...0xff60).contains(scalar.value)
      || (0x1f300...0x1faff).contains(scalar.value) || (0x20000...0x3fffd).contains(scalar.value)
    let width = isWide ? 2 : 1
    if column + width > columns {
      column = 0
      newLine()
    }
    cells[row][column] = text
    if isWide { cells[row][column + 1] = "" }
    column += width
  }

  private mutating func control(_ sequence: String) {
    let body = sequence.dropLast()
    if body.hasPrefix("?") {
      for mode in body.dropFirst().split(separator: ";").compactMap({ Int($0) }) { set(mode, sequence.last == "h") }
      return
    }
    let numbers = body.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let count = max(numbers.first ?? 0, 1)
    switch sequence.last {
    case "A": row = max(row - count, 0)
    case "B": row = min(row + count, rows - 1)
    case "C": column = min(column + count, columns - 1)
    case "D": column = max(column - count, 0)
    case "H":
      row = min(count, rows) - 1
      column = min(max(numbers.count > 1 ? numbers[1] : 1, 1), columns) - 1
    case "J":
      erase(row, from: min(column, columns))
      for below in row + 1..<max(rows, row + 1) { erase(below, from: 0) }
    case "K": erase(row, from: numbers.first == 2 ? 0 : min(column, columns))
    default: break
    }
  }

  private mutating func erase(_ row: Int, from start: Int) {
    for column in start..<columns { cells[row][column] = " " }
  }

  private mutating func set(_ mode: Int, _ isOn: Bool) {
    if isOn { modes.insert(mode) } else { modes.remove(mode) }
    guard mode == 1049 else { return }
    if isOn, usual == nil {
      usual = (cells, row, column)
      cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    } else if !isOn, let before = usual {
      (cells, row, column) = before
      usual = nil
    }
  }
}
