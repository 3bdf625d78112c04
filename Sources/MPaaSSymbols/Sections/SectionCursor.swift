import MPaaSSupport

/// Reads the numbers of a section one after another, without throwing.
///
/// A read past the end gives zero, breaks the cursor for good and moves it to the end, so that loops over
/// hostile bytes come to an end without a check at every step; who needs to know asks `isBroken` once.
/// The caller keeps the memory alive.
struct SectionCursor {
  let buffer: UnsafeRawBufferPointer
  let bigEndian: Bool
  /// Bytes from the start of the section; never past `end`.
  private(set) var offset: Int
  /// The end for this cursor, at most the section's size.
  let end: Int
  private(set) var isBroken: Bool

  /// - Parameters:
  ///   - offset: Where to start; outside the section the cursor is broken at once.
  ///   - end: Where to stop; the section's end where it is past that.
  init(_ buffer: UnsafeRawBufferPointer, at offset: Int = 0, end: Int = .max, bigEndian: Bool) {
    self.buffer = buffer
    self.bigEndian = bigEndian
    self.end = min(max(end, 0), buffer.count)
    isBroken = offset < 0 || offset > self.end
    self.offset = isBroken ? self.end : offset
  }

  @inline(__always) var isAtEnd: Bool { offset >= end }

  @inline(never)
  private mutating func fail() {
    isBroken = true
    offset = end
  }

  /// Moves to `target`, forwards or back.
  @inline(__always)
  mutating func move(to target: Int) {
    guard target >= 0, target <= end else { return fail() }
    offset = target
  }

  @inline(__always)
  mutating func skip(_ count: Int) {
    guard count >= 0, count <= end &- offset else { return fail() }
    offset &+= count
  }

  @inline(__always)
  mutating func skip(_ count: UInt64) {
    guard count <= UInt64(end &- offset) else { return fail() }
    offset &+= Int(count)
  }

  @inline(__always)
  private mutating func load<Value: FixedWidthInteger>(_: Value.Type) -> Value {
    guard end &- offset >= MemoryLayout<Value>.size else {
      fail()
      return 0
    }
    let value = buffer.loadUnaligned(fromByteOffset: offset, as: Value.self)
    offset &+= MemoryLayout<Value>.size
    return bigEndian ? Value(bigEndian: value) : Value(littleEndian: value)
  }

  @inline(__always) mutating func u8() -> UInt8 { load(UInt8.self) }
  @inline(__always) mutating func u16() -> UInt16 { load(UInt16.self) }
  @inline(__always) mutating func u32() -> UInt32 { load(UInt32.self) }
  @inline(__always) mutating func u64() -> UInt64 { load(UInt64.self) }

  /// Eight bytes as they stand, the first the highest.
  mutating func rawBigEndian() -> UInt64 {
    let value = u64()
    return bigEndian ? value : value.byteSwapped
  }

  mutating func u24() -> UInt32 {
    let a = UInt32(u8())
    let b = UInt32(u8())
    let c = UInt32(u8())
    return bigEndian ? a << 16 | b << 8 | c : c << 16 | b << 8 | a
  }

  /// An unsigned number of 1, 2, 4 or 8 bytes; another size breaks the cursor.
  @inline(__always)
  mutating func unsigned(size: UInt8) -> UInt64 {
    switch size {
    case 8: return u64()
    case 4: return UInt64(u32())
    case 2: return UInt64(u16())
    case 1: return UInt64(u8())
    default:
      fail()
      return 0
    }
  }

  /// A section offset: 4 bytes, or 8 in 64-bit DWARF (DWARF 5, 7.4).
  @inline(__always)
  mutating func sectionOffset(is64: Bool) -> UInt64 {
    is64 ? u64() : UInt64(u32())
  }

  /// An unsigned LEB128 number; bits past the 64th are dropped (DWARF 5, 7.6).
  @inline(__always)
  mutating func uleb() -> UInt64 {
    guard offset < end else {
      fail()
      return 0
    }
    let first = buffer[offset]
    offset &+= 1
    return first < 0x80 ? UInt64(first) : restOfUleb(first)
  }

  private mutating func restOfUleb(_ first: UInt8) -> UInt64 {
    var value = UInt64(first & 0x7f)
    var shift: UInt64 = 7
    while offset < end {
      let byte = buffer[offset]
      offset &+= 1
      if shift < 64 { value |= UInt64(byte & 0x7f) &<< shift }
      if byte < 0x80 { return value }
      shift = min(shift &+ 7, 70)
    }
    fail()
    return 0
  }

  /// A signed LEB128 number; bits past the 64th are dropped (DWARF 5, 7.6).
  mutating func sleb() -> Int64 {
    var value: Int64 = 0
    var shift: Int64 = 0
    while offset < end {
      let byte = buffer[offset]
      offset &+= 1
      if shift < 64 { value |= Int64(byte & 0x7f) &<< shift }
      shift = min(shift &+ 7, 70)
      if byte < 0x80 {
        if shift < 64, byte & 0x40 != 0 { value |= -1 &<< shift }
        return value
      }
    }
    fail()
    return 0
  }

  /// Steps over a LEB128 number.
  @inline(__always)
  mutating func skipLEB() {
    while offset < end {
      let byte = buffer[offset]
      offset &+= 1
      if byte < 0x80 { return }
    }
    fail()
  }

  /// Steps over a string and its NUL.
  mutating func skipString() {
    let rest = UnsafeRawBufferPointer(rebasing: buffer[offset..<end])
    guard let length = rest.cStringLength else { return fail() }
    offset &+= length &+ 1
  }

  /// The start of a unit or table: its length without the length field, and whether it is 64-bit DWARF (7.4).
  mutating func initialLength() -> (length: UInt64, is64: Bool) {
    let short = u32()
    if short == 0xffff_ffff { return (u64(), true) }
    if short >= 0xffff_fff0 { fail() }
    return (UInt64(short), false)
  }
}
