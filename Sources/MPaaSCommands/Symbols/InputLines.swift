import MPaaSSupport
import MPaaSTerminal

/// The lines of standard input, in pieces as large as one read gives.
struct InputLines {
  struct Line {
    let number: Int
    let bytes: ArraySlice<UInt8>
  }

  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  /// The start of a line whose end has not come yet.
  private var rest: [UInt8] = []
  private var number = 0
  private var isAtEnd = false

  /// Nobody writes an address longer than this; a line without end must not fill the memory.
  private static let longest = 1 << 16

  /// The whole lines that one read completes, perhaps none; nil at the end.
  mutating func next() throws(FileError) -> [Line]? {
    guard !isAtEnd else { return nil }
    let count = try StandardInput.read(into: &buffer)
    isAtEnd = count == 0
    var bytes = rest
    bytes.append(contentsOf: buffer[..<count])
    rest = []
    var lines: [Line] = []
    var start = 0
    for end in bytes.indices where bytes[end] == UInt8(ascii: "\n") {
      number += 1
      lines.append(Line(number: number, bytes: bytes[start..<end]))
      start = end + 1
    }
    if start < bytes.count {
      if isAtEnd || bytes.count - start > Self.longest {
        number += 1
        lines.append(Line(number: number, bytes: bytes[start...]))
      } else {
        rest = Array(bytes[start...])
      }
    }
    return lines
  }
}
