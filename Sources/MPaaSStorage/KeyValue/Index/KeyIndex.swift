/// The keys of a store with their values: a hash table whose entries lie in memory of their own.
///
/// Not for two threads at once.
struct KeyIndex: ~Copyable {
  typealias Entry = UnsafeMutablePointer<IndexEntry>

  private struct Slot {
    var hash: UInt64
    var entry: Entry?
  }

  private var slots: UnsafeMutablePointer<Slot>
  private var mask: Int
  private(set) var count = 0
  /// Bytes of the records that the entries stand in.
  private(set) var liveBytes: UInt64 = 0
  private let seed: UInt64

  init(capacity: Int = 64, seed: UInt64 = .random(in: .min ... .max)) {
    self.seed = seed
    mask = capacity - 1
    slots = Self.slots(capacity)
  }

  deinit {
    for index in 0...mask { slots[index].entry?.deallocate() }
    slots.deallocate()
  }

  private static func slots(_ count: Int) -> UnsafeMutablePointer<Slot> {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
    slots.initialize(repeating: Slot(hash: 0, entry: nil), count: count)
    return slots
  }

  @inline(__always)
  func name(_ business: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer) -> EntryName {
    EntryName(business, key, seed: seed)
  }

  /// The place of a name, or the free one where it would come.
  @inline(__always)
  private func place(_ name: EntryName) -> Int {
    var place = Int(truncatingIfNeeded: name.hash) & mask
    while let entry = slots[place].entry {
      if slots[place].hash == name.hash, entry.has(name) { return place }
      place = (place &+ 1) & mask
    }
    return place
  }

  @inline(__always)
  func find(_ name: EntryName) -> Entry? { slots[place(name)].entry }

  /// Takes over a record that was written or read, which stands at `offset`.
  mutating func take(_ fields: RecordFields, _ name: EntryName, offset: UInt64, size: Int) {
    if fields.flags.isDeletion { return remove(name) }
    var slot = place(name)
    if let old = slots[slot].entry {
      liveBytes &-= UInt64(UInt32(bitPattern: old.pointee.recordSize))
      if fields.value.count > Int(old.pointee.capacity) || fields.value.count < Int(old.pointee.capacity) / 8 {
        slots[slot].entry = .make(fields, name)
        old.deallocate()
      }
    } else {
      if (count + 1) * 5 > (mask + 1) * 3 {
        grow()
        slot = place(name)
      }
      slots[slot] = Slot(hash: name.hash, entry: .make(fields, name))
      count += 1
    }
    guard let entry = slots[slot].entry else { return }
    entry.put(fields.value)
    entry.pointee.offset = offset
    entry.pointee.sequence = fields.sequence
    entry.pointee.expiry = fields.expiry
    entry.pointee.flags = fields.flags
    entry.pointee.recordSize = Int32(truncatingIfNeeded: size)
    liveBytes &+= UInt64(size)
  }

  private mutating func grow() {
    let (old, oldCount) = (slots, mask + 1)
    slots = Self.slots(oldCount * 2)
    mask = oldCount * 2 - 1
    for index in 0..<oldCount {
      guard let entry = old[index].entry else { continue }
      var place = Int(truncatingIfNeeded: old[index].hash) & mask
      while slots[place].entry != nil { place = (place &+ 1) & mask }
      slots[place] = Slot(hash: old[index].hash, entry: entry)
    }
    old.deallocate()
  }

  /// Removes a name; those behind it that its place kept away from theirs move up.
  mutating func remove(_ name: EntryName) {
    var hole = place(name)
    guard let entry = slots[hole].entry else { return }
    liveBytes &-= UInt64(UInt32(bitPattern: entry.pointee.recordSize))
    defer { entry.deallocate() }
    count -= 1
    var next = (hole &+ 1) & mask
    while slots[next].entry != nil {
      let home = Int(truncatingIfNeeded: slots[next].hash) & mask
      if (next &- home) & mask >= (next &- hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next &+ 1) & mask
    }
    slots[hole] = Slot(hash: 0, entry: nil)
  }

  /// Corrects the sum of sizes where an entry's record has another one.
  mutating func resize(from old: Int, to new: Int) { liveBytes = liveBytes &- UInt64(old) &+ UInt64(new) }

  /// Removes all of them.
  mutating func removeAll() { self = KeyIndex() }

  /// Hands over each entry, in no order; the index must not change meanwhile.
  func forEach<Failure: Error>(_ body: (Entry) throws(Failure) -> Void) throws(Failure) {
    for index in 0...mask { if let entry = slots[index].entry { try body(entry) } }
  }
}

extension UnsafeMutablePointer<IndexEntry> {
  fileprivate static func make(_ fields: RecordFields, _ name: EntryName) -> Self {
    IndexEntry.make(name, valueCount: fields.value.count)
  }
}

extension KeyIndex {
  /// Has an entry stand at another place of another file.
  mutating func move(_ entry: Entry, _ offset: UInt64, _ size: Int) {
    resize(from: Int(UInt32(bitPattern: entry.pointee.recordSize)), to: size)
    entry.pointee.offset = offset
    entry.pointee.recordSize = Int32(truncatingIfNeeded: size)
  }
}
