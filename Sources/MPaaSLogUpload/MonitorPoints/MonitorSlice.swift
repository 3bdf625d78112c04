import CLogRing

/// A part of a file of lines, from the beginning of a line to the end of one.
package struct MonitorSlice: Sendable, Hashable {
  /// The path in the folder of monitor points: `behavior/2026-01-31/09.log`.
  package var file: String
  package var start: Int
  package var end: Int
  /// CRC-32C of the bytes, whatever the lines' states are: tells another file of the same name apart.
  package var checksum: UInt32

  package init(file: String, start: Int, end: Int, checksum: UInt32 = 0) {
    self.file = file
    self.start = start
    self.end = end
    self.checksum = checksum
  }
}

/// Goes through the lines of a file that wait to be uploaded.
struct MonitorScan {
  struct Line {
    /// The text without its digit and the end of the line.
    var text: ArraySlice<UInt8>
    var start: Int
    /// Behind the end of the line.
    var end: Int
  }

  static let waiting = UInt8(ascii: "0")
  static let uploaded = UInt8(ascii: "1")

  /// Hands over each line between `start` and `end` that waits, until `take` gives false.
  ///
  /// A line without its end is not written to its end, and waits for the next time.
  static func waiting(in file: MonitorFile, from start: Int = 0, to end: Int = .max, _ take: (Line) -> Bool) {
    let piece = 1 << 18
    var offset = start
    var rest: [UInt8] = []
    while true {
      let place = offset + rest.count
      let more = file.read(at: place, size: min(piece, max(0, end - place)))
      if more.isEmpty { return }
      rest += more
      var from = rest.startIndex
      while let newline = rest[from...].firstIndex(of: 0x0a) {
        if rest[from] == waiting, newline > from + 1 {
          let line = Line(
            text: rest[(from + 1)..<newline], start: offset + from, end: offset + newline + 1)
          guard take(line) else { return }
        }
        from = newline + 1
      }
      offset += from
      rest.removeFirst(from)
      // No line of ours is so long: what stands there is not ours.
      if rest.count > 4 << 20 {
        offset += rest.count
        rest = []
      }
    }
  }

  /// CRC-32C of a part of a file with all lines as if they waited.
  static func checksum(_ slice: MonitorSlice, in file: MonitorFile) -> UInt32 {
    var bytes = file.read(at: slice.start, size: slice.end - slice.start)
    var isStart = true
    for index in bytes.indices {
      if isStart, bytes[index] == uploaded { bytes[index] = waiting }
      isStart = bytes[index] == 0x0a
    }
    return mp_log_crc32c(0, bytes, bytes.count)
  }
}
