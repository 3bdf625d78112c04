/// Rows of columns that are kept elsewhere, found by the hash of their values: open addressing, rows from 0 up.
///
/// The seed differs from run to run, so that a file cannot be made whose values all collide. No order depends on it.
struct RowIndex: Sendable {
  private static let seed = UInt64.random(in: .min ... .max)
  /// -1 is an empty slot; a power of two of them, at most half full.
  private var slots = [Int32](repeating: -1, count: 64)
  private var hashes: [UInt32] = []

  /// The row with this hash that `matches`; nil where none does.
  @inline(__always)
  func row(_ hash: UInt32, _ matches: (Int) -> Bool) -> Int? {
    let mask = slots.count &- 1
    var place = Int(hash) & mask
    while true {
      let row = Int(slots[place])
      if row < 0 { return nil }
      if hashes[row] == hash, matches(row) { return row }
      place = (place &+ 1) & mask
    }
  }

  /// Adds the next row, which `row(_:_:)` did not find.
  @inline(__always)
  mutating func append(_ hash: UInt32) {
    hashes.append(hash)
    if hashes.count &* 2 > slots.count { grow() } else { put(hashes.count &- 1) }
  }

  private mutating func put(_ row: Int) {
    let mask = slots.count &- 1
    var place = Int(hashes[row]) & mask
    while slots[place] >= 0 { place = (place &+ 1) & mask }
    slots[place] = Int32(row)
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    for row in hashes.indices { put(row) }
  }

  /// The hash of two numbers.
  @inline(__always)
  static func hash(_ first: UInt64, _ second: UInt64 = 0) -> UInt32 {
    let once = (first ^ seed).multipliedFullWidth(by: 0xe703_7ed1_a0b4_28db)
    let twice = (once.high ^ once.low ^ second).multipliedFullWidth(by: seed | 1)
    return UInt32(truncatingIfNeeded: twice.high ^ twice.low)
  }

  /// The hash of bytes, eight at a time.
  @inline(__always)
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var state = seed ^ UInt64(bytes.count)
    var place = 0
    while place &+ 8 <= bytes.count {
      let product = (state ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        .multipliedFullWidth(by: 0x8ebc_6af0_9c88_c6e3)
      state = product.high ^ product.low
      place &+= 8
    }
    var rest: UInt64 = 0
    while place < bytes.count {
      rest = rest << 8 | UInt64(bytes[place])
      place &+= 1
    }
    return hash(state, rest)
  }
}
