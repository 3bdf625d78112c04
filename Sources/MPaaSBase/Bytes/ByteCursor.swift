/// The reason why bytes could not be read as what was asked for.
package struct ByteError: Error, Sendable, Equatable {
  package enum Code: Sendable { case truncated, overlongNumber, unsupportedSize }
  package let code: Code
  /// Bytes from the start of the buffer that was read.
  package let offset: Int

  package init(code: Code, offset: Int) {
    self.code = code
    self.offset = offset
  }
}

/// Reads numbers and strings one after another from a buffer, checking every step against its end.
///
/// The caller keeps the memory alive. Nothing is allocated.
package struct ByteCursor {
  package let buffer: UnsafeRawBufferPointer
  /// Bytes from the start of the buffer; may be set freely, the next read checks it.
  package var offset: Int
  package let bigEndian: Bool

  package init(_ buffer: UnsafeRawBufferPointer, at offset: Int = 0, bigEndian: Bool = false) {
    self.buffer = buffer
    self.offset = offset
    self.bigEndian = bigEndian
  }

  package var isAtEnd: Bool { offset >= buffer.count }
  package var remaining: Int { max(buffer.count - offset, 0) }

  @inline(__always)
  private func check(_ size: Int) throws(ByteError) {
    guard offset >= 0, size >= 0, offset <= buffer.count, buffer.count - offset >= size else {
      throw ByteError(code: .truncated, offset: offset)
    }
  }

  @inline(__always)
  private mutating func load<Value: FixedWidthInteger>(_: Value.Type) throws(ByteError) -> Value {
    try check(MemoryLayout<Value>.size)
    let value = buffer.loadUnaligned(fromByteOffset: offset, as: Value.self)
    offset += MemoryLayout<Value>.size
    return bigEndian ? Value(bigEndian: value) : Value(littleEndian: value)
  }

  @inline(__always) package mutating func u8() throws(ByteError) -> UInt8 { try load(UInt8.self) }
  @inline(__always) package mutating func u16() throws(ByteError) -> UInt16 { try load(UInt16.self) }
  @inline(__always) package mutating func u32() throws(ByteError) -> UInt32 { try load(UInt32.self) }
  @inline(__always) package mutating func u64() throws(ByteError) -> UInt64 { try load(UInt64.self) }

  /// Three bytes, as DWARF 5's `DW_FORM_strx3` has them.
  package mutating func u24() throws(ByteError) -> UInt32 {
    try check(3)
    let a = UInt32(buffer[offset])
    let b = UInt32(buffer[offset + 1])
    let c = UInt32(buffer[offset + 2])
    offset += 3
    return bigEndian ? a << 16 | b << 8 | c : c << 16 | b << 8 | a
  }

  /// An unsigned number of 1, 2, 4 or 8 bytes.
  package mutating func unsigned(size: Int) throws(ByteError) -> UInt64 {
    switch size {
    case 1: UInt64(try u8())
    case 2: UInt64(try u16())
    case 4: UInt64(try u32())
    case 8: try u64()
    default: throw ByteError(code: .unsupportedSize, offset: offset)
    }
  }

  /// An unsigned LEB128 number (DWARF 5, 7.6); bits past the 64th are refused.
  @inline(__always)
  package mutating func uleb() throws(ByteError) -> UInt64 {
    let first = try u8()
    if first < 0x80 { return UInt64(first) }
    var value = UInt64(first & 0x7f)
    var shift: UInt64 = 7
    while true {
      let byte = try u8()
      if shift >= 64 {
        guard byte & 0x7f == 0 else { throw ByteError(code: .overlongNumber, offset: offset - 1) }
      } else {
        value |= UInt64(byte & 0x7f) << shift
      }
      if byte < 0x80 { return value }
      shift += 7
      guard shift < 140 else { throw ByteError(code: .overlongNumber, offset: offset) }
    }
  }

  /// A signed LEB128 number (DWARF 5, 7.6).
  @inline(__always)
  package mutating func sleb() throws(ByteError) -> Int64 {
    var value: Int64 = 0
    var shift: Int64 = 0
    while true {
      let byte = try u8()
      if shift < 64 { value |= Int64(byte & 0x7f) << shift }
      shift += 7
      if byte < 0x80 {
        if shift < 64, byte & 0x40 != 0 { value |= -1 << shift }
        return value
      }
      guard shift < 140 else { throw ByteError(code: .overlongNumber, offset: offset) }
    }
  }

  package mutating func skip(_ count: Int) throws(ByteError) {
    try check(count)
    offset += count
  }

  package mutating func skip(_ count: UInt64) throws(ByteError) {
    guard count <= UInt64(remaining) else { throw ByteError(code: .truncated, offset: offset) }
    try skip(Int(count))
  }

  /// The next `count` bytes, as a part of the same memory.
  package mutating func bytes(_ count: Int) throws(ByteError) -> UnsafeRawBufferPointer {
    try check(count)
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + count])
  }

  /// A NUL-terminated string without its NUL, as a part of the same memory.
  package mutating func cString() throws(ByteError) -> UnsafeRawBufferPointer {
    try check(1)
    let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
    guard let end = rest.firstIndex(of: 0) else { throw ByteError(code: .truncated, offset: offset) }
    offset += end + 1
    return UnsafeRawBufferPointer(rebasing: rest[..<end])
  }
}

extension String {
  /// Decodes UTF-8 and puts U+FFFD where it is not.
  package init(utf8 bytes: UnsafeRawBufferPointer) {
    self.init(decoding: bytes, as: UTF8.self)
  }
}
