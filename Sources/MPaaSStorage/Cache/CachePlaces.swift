/// The numbers of entries by their keys: an open table with a hash that is fast for short keys.
///
/// `@unchecked Sendable`: threads may read it at once while none changes it, which the owner's lock sees to.
final class CachePlaces: @unchecked Sendable {
  private struct Slot {
    var key = ""
    /// The entry's number; -1 for none.
    var place: Int32 = -1
    /// The lower half of the key's hash.
    var mark: UInt32 = 0
  }

  private var slots = CachePlaces.empty(8)
  private(set) var count = 0
  private let hash = CacheHash()

  deinit { CachePlaces.free(slots) }

  private static func empty(_ count: Int) -> UnsafeMutableBufferPointer<Slot> {
    let slots = UnsafeMutableBufferPointer<Slot>.allocate(capacity: count)
    slots.initialize(repeating: Slot())
    return slots
  }

  private static func free(_ slots: UnsafeMutableBufferPointer<Slot>) {
    slots.deinitialize()
    slots.deallocate()
  }

  var isEmpty: Bool { count == 0 }

  var keys: [String] { slots.compactMap { $0.place < 0 ? nil : $0.key } }

  /// The number of a key's entry; nil where it has none.
  subscript(key: String) -> Int32? {
    get {
      let place = place(key, mark(key))
      return place < 0 ? nil : place
    }
    set {
      let mark = mark(key)
      let index = slot(key, mark)
      switch (newValue, slots[index].place < 0) {
      case (let place?, true): insert(Slot(key: key, place: place, mark: mark), at: index)
      case (let place?, false): slots[index].place = place
      case (nil, true): break
      case (nil, false): remove(at: index)
      }
    }
  }

  /// The mark of a key, which is always the same.
  @inline(__always)
  func mark(_ key: String) -> UInt32 { hash(key) }

  /// The number of a key's entry; -1 where it has none.
  @inline(__always)
  func place(_ key: String, _ mark: UInt32) -> Int32 { slots[slot(key, mark)].place }

  /// The slot that has a key, or in which it would be put.
  @inline(__always)
  private func slot(_ key: String, _ mark: UInt32) -> Int {
    let slots = slots
    var index = Int(mark) & (slots.count &- 1)
    while slots[index].place >= 0, slots[index].mark != mark || slots[index].key != key {
      index = (index &+ 1) & (slots.count &- 1)
    }
    return index
  }

  func removeAll() {
    Self.free(slots)
    (slots, count) = (Self.empty(8), 0)
  }

  private func insert(_ slot: Slot, at index: Int) {
    slots[index] = slot
    count += 1
    // At most two thirds are taken, so that a free one is near.
    if count * 3 > slots.count * 2 { grow() }
  }

  private func grow() {
    let old = slots
    slots = Self.empty(old.count * 2)
    for slot in old where slot.place >= 0 { slots[self.slot(slot.key, slot.mark)] = slot }
    Self.free(old)
  }

  /// Empties a slot, and moves those behind it that a search would no longer reach.
  private func remove(at index: Int) {
    let mask = slots.count - 1
    var (hole, next) = (index, (index + 1) & mask)
    while slots[next].place >= 0 {
      let home = Int(slots[next].mark) & mask
      if (next - home) & mask >= (next - hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    slots[hole] = Slot()
    count -= 1
  }
}

/// A hash of keys by a random seed, so that no one can make keys that fall on one another.
struct CacheHash {
  private let seed = UInt64.random(in: .min ... .max)

  /// The hash of a key; keys that are equal have the same one, whatever their code points are.
  @inline(__always)
  func callAsFunction(_ key: String) -> UInt32 {
    let found = key.utf8.withContiguousStorageIfAvailable { bytes -> UInt32? in
      let bytes = UnsafeRawBufferPointer(bytes)
      return Self.isASCII(bytes) ? UInt32(truncatingIfNeeded: FoldedHash.mixed(seed, bytes)) : nil
    }
    return (found ?? nil) ?? general(key)
  }

  /// The hash of a key that is no ASCII, or lies elsewhere than in a string of Swift.
  @inline(never)
  private func general(_ key: String) -> UInt32 {
    var text = ""
    for scalar in key.unicodeScalars {
      guard let plain = Self.plain(scalar) else { return UInt32(truncatingIfNeeded: key.hashValue) }
      text.unicodeScalars.append(plain)
    }
    return text.withUTF8 { UInt32(truncatingIfNeeded: FoldedHash.mixed(seed, UnsafeRawBufferPointer($0))) }
  }

  /// The ASCII that a code point is equal to: beside ASCII itself the Greek question mark, the Greek varia, and the
  /// sign of the kelvin; nil for all others.
  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "\u{37e}": ";"
    case "\u{1fef}": "`"
    case "\u{212a}": "K"
    default: scalar.isASCII ? scalar : nil
    }
  }

  @inline(__always)
  private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var (bits, place) = (0 as UInt64, 0)
    while place &+ 8 <= bytes.count {
      bits |= bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      place &+= 8
    }
    while place < bytes.count {
      bits |= UInt64(bytes[place])
      place &+= 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }
}
