/// Bytes that grow at their end, in memory of their own, without the checks that an array makes at each of them.
package struct ByteSink: ~Copyable {
  @usableFromInline package private(set) var start: UnsafeMutablePointer<UInt8>
  @usableFromInline package private(set) var capacity: Int
  @usableFromInline package var count = 0

  package init(capacity: Int = 256) {
    self.capacity = max(capacity, 16)
    start = .allocate(capacity: self.capacity)
  }

  deinit {
    start.deallocate()
  }

  /// The bytes so far; valid until the next is put.
  package var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// Makes room for `more` bytes.
  @inlinable
  package mutating func reserve(_ more: Int) {
    if capacity &- count < more { grow(more) }
  }

  /// Adds once more what was put before.
  package mutating func putAgain(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    reserve(range.count)
    UnsafeMutableRawBufferPointer(start: start + count, count: range.count)
      .copyMemory(from: UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count))
    count &+= range.count
  }

  /// Forgets what was put after the first `count` bytes.
  package mutating func truncate(to count: Int) {
    self.count = min(max(count, 0), self.count)
  }

  /// Gives back what is not used.
  mutating func shrink() {
    if capacity > count, count > 0 { resize(to: count) }
  }

  @usableFromInline
  package mutating func grow(_ more: Int) {
    resize(to: max(capacity + capacity / 2, count + more))
  }

  private mutating func resize(to larger: Int) {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    memory.update(from: start, count: count)
    start.deallocate()
    start = memory
    capacity = larger
  }

  @inlinable
  package mutating func put(_ byte: UInt8) {
    reserve(1)
    start[count] = byte
    count &+= 1
  }

  @inlinable
  package mutating func put(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    UnsafeMutableRawBufferPointer(start: start + count, count: bytes.count).copyMemory(from: bytes)
    count &+= bytes.count
  }

  package mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { put(UnsafeRawBufferPointer($0)) }
  }

  /// Little-endian.
  mutating func put<Number: FixedWidthInteger>(number: Number) {
    withUnsafeBytes(of: number.littleEndian) { put($0) }
  }

  /// An unsigned LEB128 number.
  @inline(__always)
  mutating func put(varint value: UInt64) {
    reserve(10)
    var value = value
    while value >= 0x80 {
      start[count] = UInt8(truncatingIfNeeded: value) | 0x80
      count &+= 1
      value >>= 7
    }
    start[count] = UInt8(truncatingIfNeeded: value)
    count &+= 1
  }

  /// A signed number, the small ones of either sign short.
  @inline(__always)
  mutating func put(zigzag value: Int64) {
    put(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  /// A text behind its length.
  mutating func put(counted text: String) {
    put(varint: UInt64(text.utf8.count))
    put(text)
  }

  /// Zeroes up to the next multiple of `alignment`.
  mutating func align(_ alignment: Int) {
    while count % alignment != 0 { put(0) }
  }

  /// Overwrites what stands at `offset`.
  mutating func replace<Number: FixedWidthInteger>(number: Number, at offset: Int) {
    precondition(offset >= 0 && offset + MemoryLayout<Number>.size <= count)
    withUnsafeBytes(of: number.littleEndian) {
      UnsafeMutableRawBufferPointer(start: start + offset, count: $0.count).copyMemory(from: $0)
    }
  }
}
