#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The lines of a text one after another, without their ends.
struct TextLines {
  let bytes: UnsafeRawBufferPointer
  /// The place of the next line.
  var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  mutating func next() -> UnsafeRawBufferPointer? {
    guard offset < bytes.count else { return nil }
    let start = offset
    let end = bytes.place(of: UInt8(ascii: "\n"), from: start) ?? bytes.count
    offset = end + 1
    let isCarriage = end > start && bytes[end - 1] == UInt8(ascii: "\r")
    return bytes.part(start..<(isCarriage ? end - 1 : end))
  }

  /// The lines up to the next empty one or the end.
  mutating func block() -> UnsafeRawBufferPointer {
    let start = min(offset, bytes.count)
    var end = start
    while let place = bytes.place(of: UInt8(ascii: "\n"), from: end) {
      end = place + 1
      guard place > start, end < bytes.count, bytes[end] != UInt8(ascii: "\n") else {
        offset = end
        return bytes.part(start..<place)
      }
    }
    offset = bytes.count
    return bytes.part(start..<bytes.count)
  }

  /// The number of the line that a place is on, from 1.
  func number(at place: Int) -> Int {
    bytes.part(0..<min(max(place, 0), bytes.count)).reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
  }
}

extension UnsafeRawBufferPointer {
  /// The place of the first such byte from a place on.
  @inline(__always)
  func place(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let baseAddress else { return nil }
    guard let found = memchr(baseAddress + start, Int32(byte), count - start) else { return nil }
    return UnsafeRawPointer(found) - baseAddress
  }

  /// The bytes without blanks and tabs around them.
  var trimmed: UnsafeRawBufferPointer {
    var (start, end) = (0, count)
    while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
    while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[start..<end])
  }

  /// The bytes of a range, which lies inside.
  @inline(__always)
  func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }

  /// The whole number from 0 that the bytes are.
  var wholeNumber: Int64? {
    guard !isEmpty, allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
    return DecimalText.scaled(self, by: 0)
  }

  /// The hexadecimal number that the bytes are, without `0x` or with it.
  var hexadecimalNumber: UInt64? {
    var start = 0
    if count > 2, self[0] == UInt8(ascii: "0"), self[1] | 0x20 == UInt8(ascii: "x") { start = 2 }
    guard count > start, count - start <= 16 else { return nil }
    var value: UInt64 = 0
    for byte in self[start...] {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - 0x30
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - 0x61 + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - 0x41 + 10
      default: return nil
      }
      value = value << 4 | UInt64(digit)
    }
    return value
  }
}
