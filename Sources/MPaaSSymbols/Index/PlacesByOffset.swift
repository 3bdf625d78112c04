/// Places in memory by the offsets of an index's names: a hash table with open addressing, eight bytes a slot.
struct PlacesByOffset {
  /// The offset in the upper half, the place in the lower; 0 where nothing stands, since no name has the offset 0.
  private var slots = [UInt64](repeating: 0, count: Self.fewest)
  private(set) var count = 0

  private static let fewest = 1 << 12

  subscript(offset: UInt32) -> UInt32? {
    slots.withUnsafeBufferPointer { slots in
      var index = Self.index(of: offset, slots.count)
      while slots[index] != 0 {
        if slots[index] >> 32 == UInt64(offset) { return UInt32(truncatingIfNeeded: slots[index]) }
        index = (index &+ 1) & (slots.count &- 1)
      }
      return nil
    }
  }

  /// Adds an offset that is not there yet, and is not 0.
  mutating func insert(_ offset: UInt32, place: UInt32) {
    if count * 2 >= slots.count { grow() }
    put(UInt64(offset) << 32 | UInt64(place))
    count += 1
  }

  mutating func removeAll() {
    for index in slots.indices { slots[index] = 0 }
    count = 0
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: old.count * 2)
    for slot in old where slot != 0 { put(slot) }
  }

  private mutating func put(_ slot: UInt64) {
    var index = Self.index(of: UInt32(truncatingIfNeeded: slot >> 32), slots.count)
    while slots[index] != 0 { index = (index &+ 1) & (slots.count &- 1) }
    slots[index] = slot
  }

  /// The first slot to look at: the upper bits of a product, which neighbors differ in.
  private static func index(of offset: UInt32, _ count: Int) -> Int {
    Int(truncatingIfNeeded: (UInt64(offset) &* 0x9e37_79b9_7f4a_7c15) >> 32) & (count &- 1)
  }
}
