import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads the fields of one line of a Breakpad symbol file, which single spaces part.
struct BreakpadFields {
  /// A part of the file: offset and length in bytes.
  struct Span {
    var offset: UInt32 = 0
    var length: UInt32 = 0
  }

  let buffer: UnsafeRawBufferPointer
  private(set) var offset: Int
  /// The end of the line, without its line break.
  let end: Int

  init(_ buffer: UnsafeRawBufferPointer, _ line: Range<Int>) {
    self.buffer = buffer
    offset = line.lowerBound
    end = line.upperBound
  }

  var isAtEnd: Bool { offset >= end }

  /// Goes past `word` and the space behind it, where the line goes on with both.
  mutating func skip(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard end - offset > count, buffer[offset + count] == UInt8(ascii: " ") else { return false }
    for index in 0..<count where buffer[offset + index] != word.utf8Start[index] { return false }
    offset += count + 1
    return true
  }

  /// The next field in hexadecimal; nil where it is none or has more than 64 bits.
  mutating func hexadecimal() -> UInt64? {
    var value: UInt64 = 0
    let start = offset
    while offset < end, buffer[offset] != UInt8(ascii: " ") {
      guard let digit = Self.digit(buffer[offset]), value >> 60 == 0 else { return nil }
      value = value << 4 | UInt64(digit)
      offset += 1
    }
    guard offset > start else { return nil }
    skipSpace()
    return value
  }

  /// The next field in decimal; nil where it is none or does not fit 32 bits.
  ///
  /// A negative one gives 0: `-1` means unknown.
  mutating func decimal() -> UInt32? {
    var value: UInt64 = 0
    let start = offset
    let isNegative = offset < end && buffer[offset] == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    while offset < end, buffer[offset] != UInt8(ascii: " ") {
      guard let digit = Self.digit(buffer[offset]), digit < 10, value < 1 << 32 else { return nil }
      value = value * 10 + UInt64(digit)
      offset += 1
    }
    guard offset > start else { return nil }
    skipSpace()
    return isNegative ? 0 : UInt32(exactly: value)
  }

  /// The next field as it stands.
  mutating func word() -> String? {
    let start = offset
    while offset < end, buffer[offset] != UInt8(ascii: " ") { offset += 1 }
    guard offset > start else { return nil }
    defer { skipSpace() }
    return String(utf8: UnsafeRawBufferPointer(rebasing: buffer[start..<offset]))
  }

  /// The rest of the line.
  var rest: Span {
    Span(offset: UInt32(truncatingIfNeeded: offset), length: UInt32(truncatingIfNeeded: max(end - offset, 0)))
  }

  private mutating func skipSpace() {
    if offset < end { offset += 1 }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The line that begins at `offset` without its break, and where the next one begins.
  func line(at offset: Int) -> (line: Range<Int>, next: Int) {
    guard let start = baseAddress, offset < count else { return (offset..<offset, count) }
    let feed = memchr(start + offset, 10, count - offset).map { start.distance(to: UnsafeRawPointer($0)) } ?? count
    let hasReturn = feed > offset && self[feed - 1] == 13
    return (offset..<(hasReturn ? feed - 1 : feed), Swift.min(feed + 1, count))
  }
}
