import CLogRing

/// The pairs of tag and subsystem of a block, numbered as they come.
struct LabelTable {
  private struct Entry {
    let label: UnsafeRawBufferPointer
    let tagSize: Int
    let hash: UInt32
  }

  private static let slotCount = 1 << 12
  private var entries: [Entry] = []
  /// The number of an entry, plus one; as many slots as a power of two.
  private var slots: [UInt32]
  private var last: Entry?
  private var lastIndex = 0
  /// Bytes that the texts take, with room for their sizes.
  private(set) var size = 0

  init() {
    slots = [UInt32](repeating: 0, count: Self.slotCount)
  }

  func deallocate() {}

  var count: Int { entries.count }

  mutating func clear() {
    let mask = slots.count - 1
    if entries.count > slots.count / 4 {
      for index in slots.indices { slots[index] = 0 }
    } else {
      for entry in entries {
        var slot = Int(entry.hash) & mask
        while slots[slot] != 0 {
          slots[slot] = 0
          slot = (slot + 1) & mask
        }
      }
    }
    entries.removeAll(keepingCapacity: true)
    last = nil
    size = 0
  }

  /// The number of the record's label; its memory stays until `clear`.
  mutating func index(of record: TrustedRecord) -> Int {
    let label = record.label, tagSize = record.tagSize
    if let last, Self.isSame(last, label, tagSize) { return lastIndex }
    let hash = mp_log_crc32c(UInt32(truncatingIfNeeded: tagSize), label.baseAddress, label.count)
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot]) - 1]
      if entry.hash == hash, Self.isSame(entry, label, tagSize) {
        last = entry
        lastIndex = Int(slots[slot]) - 1
        return lastIndex
      }
      slot = (slot + 1) & mask
    }
    let entry = Entry(label: label, tagSize: tagSize, hash: hash)
    entries.append(entry)
    slots[slot] = UInt32(entries.count)
    size += label.count + 10
    last = entry
    lastIndex = entries.count - 1
    if entries.count > slots.count / 2 { grow() }
    return lastIndex
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    for (index, entry) in entries.enumerated() {
      var slot = Int(entry.hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(index + 1)
    }
  }

  @inline(__always)
  private static func isSame(_ entry: Entry, _ label: UnsafeRawBufferPointer, _ tagSize: Int) -> Bool {
    guard entry.tagSize == tagSize, entry.label.count == label.count else { return false }
    guard let one = entry.label.baseAddress, let other = label.baseAddress else { return true }
    return mp_log_same(one, other, label.count) != 0
  }

  func forEach(_ body: (_ tag: UnsafeRawBufferPointer, _ subsystem: UnsafeRawBufferPointer) -> Void) {
    for entry in entries {
      body(
        UnsafeRawBufferPointer(rebasing: entry.label[..<entry.tagSize]),
        UnsafeRawBufferPointer(rebasing: entry.label[entry.tagSize...]))
    }
  }
}
