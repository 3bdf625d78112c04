/// Places of badges by hashes, in one block of memory: open addressing with steps of one.
///
/// A table knows numbers alone; who looks up compares what stands in the places. Its cells are small, and the upper bits
/// of a hash say where it lies: most of a look-up's time goes by until the memory that it touches is there.
struct SlotTable: Sendable {
  /// Twelve bits of the hash in the upper part, the place plus one in the lower; 0 for nothing.
  private var cells: [UInt32]
  private(set) var count = 0
  /// The bits of a hash that do not say where it lies.
  private let shift: UInt32

  private static let placeMask: UInt32 = 1 << 20 - 1
  /// The bits of a hash by which a table is filled part by part, each of which fits into the nearest memory.
  private static let partBits: UInt32 = 6

  /// Creates a table with room for `capacity` places, which are below 2^20 - 1.
  init(capacity: Int) {
    var bits = 4
    while 1 << bits < capacity * 2 { bits += 1 }
    cells = [UInt32](repeating: 0, count: 1 << bits)
    shift = UInt32(32 - bits)
  }

  /// Creates a table of places from 0 on, whose hashes stand in a column; 0 is for those that are left out.
  ///
  /// - Parameters:
  ///   - isSame: Says whether two places have the same key; the former gives way to the later then.
  ///   - replaced: Gets the place that gave way, and the one that it gave way to.
  init(
    _ hashes: [UInt32], isSame: (_ former: Int, _ later: Int) -> Bool, replaced: (_ former: Int, _ later: Int) -> Void
  ) {
    self.init(capacity: hashes.count)
    let slots = Self.byParts(hashes)
    hashes.withUnsafeBufferPointer { hashes in
      for slot in slots.lazy.map(Int.init) {
        if let former = put(slot, hashes[slot], replacing: { isSame($0, slot) }) { replaced(former, slot) }
      }
    }
  }

  /// The places that are not left out, those of a part of the table together, in their order.
  private static func byParts(_ hashes: [UInt32]) -> [UInt32] {
    let (shift, parts) = (32 - partBits, 1 << Int(partBits))
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: parts + 1) { starts in
      starts.initialize(repeating: 0)
      for hash in hashes where hash != 0 { starts[Int(hash >> shift) + 1] += 1 }
      for part in 1...parts { starts[part] += starts[part - 1] }
      let whole = starts[parts]
      return [UInt32](unsafeUninitializedCapacity: whole) { slots, count in
        for slot in hashes.indices where hashes[slot] != 0 {
          let part = Int(hashes[slot] >> shift)
          slots[starts[part]] = UInt32(truncatingIfNeeded: slot)
          starts[part] += 1
        }
        count = whole
      }
    }
  }

  /// True where another place would make look-ups slow.
  var isFull: Bool { count * 2 >= cells.count }

  /// The first place with a hash that `isIt` says yes to.
  @inline(__always)
  func first(_ hash: UInt32, where isIt: (Int) -> Bool) -> Int? {
    cells.withUnsafeBufferPointer { cells in
      let mask = cells.count - 1
      var cell = Int(hash >> shift)
      while cells[cell] != 0 {
        if (cells[cell] ^ hash << 20) & ~Self.placeMask == 0 {
          let slot = Int(cells[cell] & Self.placeMask) - 1
          if isIt(slot) { return slot }
        }
        cell = (cell + 1) & mask
      }
      return nil
    }
  }

  /// Puts a place in, unless one with its hash is there that `isIt` says yes to; that one gives way, and is returned.
  @inline(__always)
  @discardableResult
  mutating func put(_ slot: Int, _ hash: UInt32, replacing isIt: (Int) -> Bool = { _ in false }) -> Int? {
    let new = hash << 20 | UInt32(truncatingIfNeeded: slot + 1) & Self.placeMask
    let former: Int? = cells.withUnsafeMutableBufferPointer { [shift] cells in
      let mask = cells.count - 1
      var cell = Int(hash >> shift)
      while cells[cell] != 0 {
        if (cells[cell] ^ hash << 20) & ~Self.placeMask == 0 {
          let other = Int(cells[cell] & Self.placeMask) - 1
          if isIt(other) {
            cells[cell] = new
            return other
          }
        }
        cell = (cell + 1) & mask
      }
      cells[cell] = new
      return nil
    }
    if former == nil { count += 1 }
    return former
  }
}
