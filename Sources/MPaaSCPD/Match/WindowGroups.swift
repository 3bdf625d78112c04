/// Windows of tokens that stand at two places or more, by hash: candidates for clones.
struct WindowGroups {
  /// The hash in the upper half, the place in the lower one, sorted by hash and then by place.
  private(set) var entries: [UInt64] = []

  init(_ tokens: UnsafeBufferPointer<UInt32>, _ hashes: RollingHash) {
    guard tokens.count >= hashes.window else { return }
    // Most windows stand alone. A table of bits keeps them from being sorted: one for "seen", one for "seen again".
    var bits = 12
    while 1 << bits < tokens.count * 8, bits < 33 { bits += 1 }
    let shift = UInt64(64 - bits)
    let words = 1 << (bits - 6)
    let seen = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
    let again = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
    seen.initialize(repeating: 0, count: words)
    again.initialize(repeating: 0, count: words)
    defer {
      seen.deallocate()
      again.deallocate()
    }
    var repeated = 0
    hashes.each(tokens) { hash, _ in
      let index = Int(hash >> shift)
      let bit: UInt64 = 1 << UInt64(index & 63)
      if seen[index >> 6] & bit == 0 {
        seen[index >> 6] |= bit
      } else {
        again[index >> 6] |= bit
        repeated += 1
      }
    }
    guard repeated > 0 else { return }
    entries.reserveCapacity(repeated * 2)
    hashes.each(tokens) { hash, place in
      let index = Int(hash >> shift)
      if again[index >> 6] & (1 << UInt64(index & 63)) != 0 {
        entries.append(hash << 32 | UInt64(place))
      }
    }
    sort()
  }

  /// Sorts by the upper half: three passes of eleven bits, which keep the order of places.
  private mutating func sort() {
    var other = [UInt64](repeating: 0, count: entries.count)
    for shift: UInt64 in [32, 43, 54] {
      var starts = [Int](repeating: 0, count: 2049)
      for entry in entries { starts[Int(entry >> shift & 2047) + 1] += 1 }
      for index in 1...2048 { starts[index] += starts[index - 1] }
      for entry in entries {
        let digit = Int(entry >> shift & 2047)
        other[starts[digit]] = entry
        starts[digit] += 1
      }
      swap(&entries, &other)
    }
  }

  /// Hands over the places of each hash that two or more windows have, in their order.
  func each(_ take: (ArraySlice<UInt64>) -> Void) {
    var start = 0
    while start < entries.count {
      let hash = entries[start] >> 32
      var end = start + 1
      while end < entries.count, entries[end] >> 32 == hash { end += 1 }
      if end - start > 1 { take(entries[start..<end]) }
      start = end
    }
  }
}
