/// Names and paths of all parts, each once: a length and the bytes.
///
/// Offset 0 stands for no text.
struct TextPool: ~Copyable {
  private(set) var bytes = ByteSink(capacity: 1 << 16)
  /// Offsets by where the text lies in memory: the linker made one of equal strings already.
  private var byPlace = OffsetTable()
  /// Offsets by what the text says.
  private var byContent = OffsetTable()

  init() {
    bytes.put(0)
  }

  /// The offset of a text; nil where the pool is full.
  mutating func offset(of text: IndexPart.Text) -> UInt32? {
    // Memory that is given back soon may hold another text then.
    if text.isKept { return offset(of: text.buffer) }
    // Addresses have 48 bits.
    let hash = Self.mixed(UInt64(text.start) ^ UInt64(text.count) << 48)
    if let known = byPlace.find(hash, where: { bytes.holdsText(of: Int(text.count), at: Int($0)) }) { return known }
    guard let offset = offset(of: text.buffer) else { return nil }
    byPlace.insert(hash, offset)
    return offset
  }

  private mutating func offset(of buffer: UnsafeRawBufferPointer) -> UInt32? {
    let hash = Self.hash(buffer)
    if let known = byContent.find(hash, where: { bytes.holds(buffer, at: Int($0)) }) { return known }
    guard bytes.count + buffer.count + 10 < Int(UInt32.max) else { return nil }
    let offset = UInt32(bytes.count)
    bytes.put(varint: UInt64(buffer.count))
    bytes.put(buffer)
    byContent.insert(hash, offset)
    return offset
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    // A bijection: equal results mean equal values.
    var value = (value ^ value >> 32) &* 0x9e37_79b9_7f4a_7c15
    value ^= value >> 29
    return value &* 0xbf58_476d_1ce4_e5b9
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(bytes.count) &* 0x9e37_79b9_7f4a_7c15
    var offset = 0
    while offset &+ 8 <= bytes.count {
      hash = (hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9fb2_1c65_1e98_df25
      hash ^= hash >> 32
      offset &+= 8
    }
    var tail: UInt64 = 0
    while offset < bytes.count {
      tail = tail << 8 | UInt64(bytes[offset])
      offset &+= 1
    }
    return mixed(hash ^ tail)
  }
}

extension ByteSink {
  /// Tells whether the text at `offset` is so long.
  @inline(__always)
  fileprivate borrowing func holdsText(of count: Int, at offset: Int) -> Bool {
    var cursor = SectionCursor(buffer, at: offset, bigEndian: false)
    return cursor.uleb() == UInt64(count)
  }

  /// Tells whether the text at `offset`, behind its length, is this one.
  fileprivate borrowing func holds(_ text: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    var cursor = SectionCursor(buffer, at: offset, bigEndian: false)
    guard cursor.uleb() == UInt64(text.count), cursor.end - cursor.offset >= text.count else { return false }
    return UnsafeRawBufferPointer(rebasing: buffer[cursor.offset..<cursor.offset + text.count]).elementsEqual(text)
  }
}

/// Offsets by 64-bit hashes, in one array with open addressing.
private struct OffsetTable {
  private struct Slot {
    var hash: UInt64
    var offset: UInt32
  }

  private var slots = [Slot](repeating: Slot(hash: 0, offset: 0), count: 1 << 12)
  private var count = 0

  func find(_ hash: UInt64, where isIt: (UInt32) -> Bool) -> UInt32? {
    slots.withUnsafeBufferPointer { slots in
      let mask = slots.count - 1
      var place = Int(truncatingIfNeeded: hash) & mask
      while slots[place].offset != 0 {
        if slots[place].hash == hash, isIt(slots[place].offset) { return slots[place].offset }
        place = (place &+ 1) & mask
      }
      return nil
    }
  }

  mutating func insert(_ hash: UInt64, _ offset: UInt32) {
    if count * 3 > slots.count * 2 { grow() }
    put(Slot(hash: hash, offset: offset))
    count += 1
  }

  private mutating func put(_ slot: Slot) {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: slot.hash) & mask
    while slots[place].offset != 0 { place = (place &+ 1) & mask }
    slots[place] = slot
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(hash: 0, offset: 0), count: old.count * 2)
    for slot in old where slot.offset != 0 { put(slot) }
  }
}
