/// Places of badges by hashes, in one block of memory: open addressing with steps of one.
///
/// A table knows numbers alone; who looks up compares what stands in the places.
struct SlotTable: Sendable {
  /// The hash in the upper half, the place plus one in the lower; 0 for nothing.
  private var cells: [UInt64]
  private(set) var count = 0

  /// Creates a table with room for `capacity` places.
  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    cells = [UInt64](repeating: 0, count: size)
  }

  /// True where another place would make look-ups slow.
  var isFull: Bool { count * 2 >= cells.count }

  /// The first place with a hash that `isIt` says yes to.
  @inline(__always)
  func first(_ hash: UInt32, where isIt: (Int) -> Bool) -> Int? {
    cells.withUnsafeBufferPointer { cells in
      let mask = cells.count - 1
      var cell = Int(hash) & mask
      while cells[cell] != 0 {
        if UInt32(truncatingIfNeeded: cells[cell] >> 32) == hash {
          let slot = Int(UInt32(truncatingIfNeeded: cells[cell])) - 1
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
    let new = UInt64(hash) << 32 | UInt64(UInt32(truncatingIfNeeded: slot + 1))
    let former: Int? = cells.withUnsafeMutableBufferPointer { cells in
      let mask = cells.count - 1
      var cell = Int(hash) & mask
      while cells[cell] != 0 {
        if UInt32(truncatingIfNeeded: cells[cell] >> 32) == hash {
          let other = Int(UInt32(truncatingIfNeeded: cells[cell])) - 1
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
