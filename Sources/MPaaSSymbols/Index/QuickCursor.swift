/// Reads the numbers of an index without checking each against the end.
///
/// The caller makes sure that `IndexFormat.slack` bytes can be read from where a row, node or text begins, and asks
/// afterwards where it stopped.
struct QuickCursor {
  private(set) var position: UnsafeRawPointer

  /// - Parameter offset: Inside the buffer, `IndexFormat.slack` bytes before its end.
  @inline(__always)
  init(_ buffer: UnsafeRawBufferPointer, at offset: Int) {
    // An index has a header: its buffer is never empty.
    position = buffer.baseAddress.unsafelyUnwrapped + offset
  }

  @inline(__always)
  func position(of offset: Int, in buffer: UnsafeRawBufferPointer) -> UnsafeRawPointer {
    buffer.baseAddress.unsafelyUnwrapped + offset
  }

  @inline(__always)
  func offset(in buffer: UnsafeRawBufferPointer) -> Int {
    position - buffer.baseAddress.unsafelyUnwrapped
  }

  @inline(__always)
  mutating func u8() -> UInt8 {
    defer { position += 1 }
    return position.load(as: UInt8.self)
  }

  /// An unsigned LEB128 number of at most ten bytes.
  @inline(__always)
  mutating func uleb() -> UInt64 {
    let first = u8()
    return first < 0x80 ? UInt64(first) : restOfUleb(first)
  }

  @inline(__always)
  private mutating func restOfUleb(_ first: UInt8) -> UInt64 {
    var value = UInt64(first & 0x7f)
    var shift: UInt64 = 7
    while shift < 70 {
      let byte = u8()
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { break }
      shift &+= 7
    }
    return value
  }

  /// A signed number that is folded into an unsigned one.
  @inline(__always)
  mutating func zigzag() -> UInt64 {
    let value = uleb()
    return value >> 1 ^ (0 &- (value & 1))
  }
}
