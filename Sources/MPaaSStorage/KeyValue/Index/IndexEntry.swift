import CLogRing

/// The facts about a key in memory; behind them lie the bytes of business, key and, where it is short, value.
struct IndexEntry {
  var hash: UInt64
  /// The place of the record in the file.
  var offset: UInt64
  var sequence: UInt64
  var expiry: Int64
  var recordSize: Int32
  var businessCount: Int32
  var keyCount: Int32
  var valueCount: Int32
  /// Bytes that there is room for behind business and key; 0 where the value stays in the file.
  var capacity: Int32
  var flags: RecordFlags

  /// Longer values are read from the file each time.
  static let longestInMemory = 1 << 14

  static func make(_ name: EntryName, valueCount: Int) -> UnsafeMutablePointer<IndexEntry> {
    let capacity = valueCount > longestInMemory ? 0 : (valueCount + 15) & ~15
    let start = MemoryLayout<IndexEntry>.stride
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: start + name.business.count + name.key.count + capacity, alignment: 8)
    let entry = memory.bindMemory(to: IndexEntry.self, capacity: 1)
    entry.initialize(
      to: IndexEntry(
        hash: name.hash, offset: 0, sequence: 0, expiry: 0, recordSize: 0,
        businessCount: Int32(truncatingIfNeeded: name.business.count),
        keyCount: Int32(truncatingIfNeeded: name.key.count), valueCount: 0,
        capacity: Int32(truncatingIfNeeded: capacity), flags: RecordFlags(bits: 0)))
    var place = memory + start
    place.copy(name.business)
    place.copy(name.key)
    return entry
  }
}

extension UnsafeMutablePointer<IndexEntry> {
  @inline(__always)
  private var bytes: UnsafeRawPointer { UnsafeRawPointer(self) + MemoryLayout<IndexEntry>.stride }

  @inline(__always)
  var business: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: Int(pointee.businessCount)) }

  @inline(__always)
  var key: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes + Int(pointee.businessCount), count: Int(pointee.keyCount))
  }

  /// The value; nil where it stays in the file.
  @inline(__always)
  var value: UnsafeRawBufferPointer? {
    guard pointee.valueCount <= pointee.capacity else { return nil }
    return UnsafeRawBufferPointer(
      start: bytes + Int(pointee.businessCount &+ pointee.keyCount), count: Int(pointee.valueCount))
  }

  /// Takes the value over where there is room for it.
  @inline(__always)
  func put(_ value: UnsafeRawBufferPointer) {
    pointee.valueCount = Int32(truncatingIfNeeded: value.count)
    guard value.count <= Int(pointee.capacity) else { return }
    var place = UnsafeMutableRawPointer(mutating: bytes + Int(pointee.businessCount &+ pointee.keyCount))
    place.copy(value)
  }

  @inline(__always)
  func has(_ name: EntryName) -> Bool {
    pointee.hash == name.hash && business.isSame(name.business) && key.isSame(name.key)
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  func isSame(_ other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard count > 0, let one = baseAddress, let two = other.baseAddress else { return true }
    return mp_log_same(one, two, count) != 0
  }
}
