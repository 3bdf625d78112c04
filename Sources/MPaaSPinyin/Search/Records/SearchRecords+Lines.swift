import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension SearchRecords {
  /// A line is a record; text after the last line break is one too.
  mutating func readLines() {
    primary = Self.lines(of: source.buffer, from: start).map { Span($0) }
  }

  /// The ranges of the lines without their breaks, LF or CRLF.
  static func lines(of bytes: UnsafeRawBufferPointer, from start: Int) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    guard let base = bytes.baseAddress else { return lines }
    lines.reserveCapacity(bytes.count / 24)
    var begin = start
    while begin < bytes.count {
      let found = memchr(base + begin, Int32(UInt8(ascii: "\n")), bytes.count - begin)
      let end = found.map { UnsafeRawPointer($0) - base } ?? bytes.count
      let isReturn = found != nil && end > begin && bytes[end - 1] == UInt8(ascii: "\r")
      lines.append(begin..<(isReturn ? end - 1 : end))
      begin = end + 1
    }
    return lines
  }
}
