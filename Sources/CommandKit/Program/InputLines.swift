import MPaaSSupport
import MPaaSTerminal

/// The lines of standard input, in pieces as large as one read gives.
package struct InputLines {
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  /// The start of a line whose end has not come yet.
  private var rest: [UInt8] = []
  private var number = 0
  private var isAtEnd = false

  package init() {}

  /// No address is longer than this; a line without end must not fill the memory.
  private static let longest = 1 << 16

  /// Reads once, and hands over each line that is whole then, with its number from 1.
  ///
  /// - Returns: Whether there may be more.
  package mutating func next(_ body: (_ number: Int, _ line: UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
    guard !isAtEnd else { return false }
    let count = try StandardInput.read(into: &buffer)
    isAtEnd = count == 0
    rest.append(contentsOf: buffer[..<count])
    let used = try rest.withUnsafeBytes { bytes in
      var start = 0
      while let end = bytes[start...].firstNewline {
        number += 1
        try body(number, UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        start = end + 1
      }
      guard start < bytes.count, isAtEnd || bytes.count - start > Self.longest else { return start }
      number += 1
      try body(number, UnsafeRawBufferPointer(rebasing: bytes[start...]))
      return bytes.count
    }
    rest.removeSubrange(..<used)
    return true
  }
}

extension Slice<UnsafeRawBufferPointer> {
  fileprivate var firstNewline: Int? {
    var place = startIndex
    while place < endIndex {
      if base[place] == UInt8(ascii: "\n") { return place }
      place &+= 1
    }
    return nil
  }
}
