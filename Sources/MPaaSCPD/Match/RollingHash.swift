/// The hash of each window of tokens, from that of the window before.
///
/// Exact windows have equal hashes where their tokens are the same. Where names may differ, an identifier counts by how
/// far back it stood before in the window, so that windows are equal where one is the other with names exchanged one for
/// one.
///
/// - Source: B. S. Baker, Parameterized Duplication in Strings, SIAM J. Comput. 26 (1997).
struct RollingHash {
  let window: Int
  let renames: Bool
  private let factor: UInt64 = 0x9ddf_ea08_eb38_2d69
  /// Powers of the factor up to that of the window's length.
  private let powers: [UInt64]
  /// The value of each different token; 0 for an identifier that may be renamed.
  private let values: [UInt64]

  init(window: Int, renames: Bool, kinds: [TokenKind]) {
    self.window = window
    self.renames = renames
    var powers: [UInt64] = [1]
    for _ in 0..<window { powers.append(powers[powers.count - 1] &* factor) }
    self.powers = powers
    values = kinds.enumerated().map { number, kind in
      guard renames else { return TokenHash.mix(UInt64(number) + 1) | 1 }
      switch kind {
      case .word: return 0
      case .string: return TokenHash.mix(1 << 40) | 1
      case .number: return TokenHash.mix(1 << 41) | 1
      default: return TokenHash.mix(UInt64(number) + 1) | 1
      }
    }
  }

  /// Hands over each window that goes across no end, and its hash.
  @inline(__always)
  func each(_ tokens: UnsafeBufferPointer<UInt32>, _ take: (_ hash: UInt64, _ place: Int) -> Void) {
    var start = 0
    var lastSeen = renames ? [UInt32](repeating: 0, count: values.count) : []
    while start < tokens.count {
      var end = start
      while end < tokens.count, tokens[end] < TokenStream.firstEnd { end += 1 }
      if end - start >= window {
        if renames {
          renamed(tokens, start..<end, &lastSeen, take)
        } else {
          exact(tokens, start..<end, take)
        }
      }
      start = end + 1
    }
  }

  @inline(__always)
  private func exact(
    _ tokens: UnsafeBufferPointer<UInt32>, _ range: Range<Int>, _ take: (_ hash: UInt64, _ place: Int) -> Void
  ) {
    values.withUnsafeBufferPointer { values in
      let high = powers[window - 1]
      var hash: UInt64 = 0
      var place = range.lowerBound
      let first = range.lowerBound + window
      while place < first {
        hash = hash &* factor &+ values[Int(tokens[place])]
        place += 1
      }
      take(TokenHash.mix(hash), range.lowerBound)
      while place < range.upperBound {
        hash = (hash &- values[Int(tokens[place - window])] &* high) &* factor &+ values[Int(tokens[place])]
        place += 1
        take(TokenHash.mix(hash), place - window)
      }
    }
  }

  /// The value of an identifier by the distance to where it stood before; 0 for none in the window.
  @inline(__always)
  private func value(distance: Int) -> UInt64 { TokenHash.mix(UInt64(distance) &+ 1 << 42) | 1 }

  @inline(__always)
  private func renamed(
    _ tokens: UnsafeBufferPointer<UInt32>, _ range: Range<Int>, _ lastSeen: inout [UInt32],
    _ take: (_ hash: UInt64, _ place: Int) -> Void
  ) {
    let high = powers[window - 1]
    let first = value(distance: 0)
    /// The place after of the identifier at each place of the window, by the place's rest.
    var following = [Int](repeating: 0, count: window)
    var hash: UInt64 = 0
    var slot = range.lowerBound % window
    for place in range {
      let begin = place - window + 1
      var change: UInt64 = 0
      if begin > range.lowerBound {
        // The window leaves its first token, which was the first of its name; the next of that name is it now.
        let leaving = values[Int(tokens[begin - 1])]
        hash = hash &- (leaving == 0 ? first : leaving) &* high
        if leaving == 0, following[slot] > 0 {
          let next = following[slot]
          change = (first &- value(distance: next - begin + 1)) &* powers[place - next]
        }
      }
      let token = Int(tokens[place])
      var entering = values[token]
      following[slot] = 0
      if entering == 0 {
        let before = Int(lastSeen[token]) - 1
        entering = first
        if before >= max(begin, range.lowerBound) {
          entering = value(distance: place - before)
          following[before % window] = place
        }
        lastSeen[token] = UInt32(truncatingIfNeeded: place + 1)
      }
      hash = hash &* factor &+ entering &+ change
      slot += 1
      if slot == window { slot = 0 }
      if begin >= range.lowerBound { take(TokenHash.mix(hash), begin) }
    }
  }
}
