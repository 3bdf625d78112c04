/// The positions that follow others, in places of one kind.
///
/// Most positions are followed by the next one, or the one after, which is a shift of words for all of them at once. Other
/// ones are kept once for all positions that have them in common.
///
/// - Source: The idea of shifts and exceptions is that of LimEx automata: X. Wang and others, "Hyperscan", NSDI 2019.
struct PositionFollow: Sendable {
  /// The distances that positions are followed at, and words of the positions that are, one distance behind the other.
  private var distances: [UInt64] = []
  private var shifted: [UInt64] = []
  /// Groups of positions, and what follows each of them: words of either, one group behind the other.
  private var groups: [UInt64] = []
  private var groupCount = 0
  /// The steps from some positions to the next ones.
  let steps: Int

  private static let mostDistances = 16

  /// - Throws: `PatternError` `tooLarge` where no steps are left.
  init(
    _ program: PatternProgram, _ assertions: UInt8, _ words: Int, _ budget: inout Int
  ) throws(PatternError) {
    var rows: [[UInt64]] = []
    var seen = [Int](repeating: -1, count: program.steps.count)
    for position in 0...program.positionCount {
      var row = [UInt64](repeating: 0, count: words)
      budget -= words + Self.reach(program, from: position, assertions, &seen, &row)
      guard budget > 0 else { throw PatternError(.tooLarge, at: 0) }
      rows.append(row)
    }
    for distance in Self.usual(rows) {
      distances.append(UInt64(distance))
      shifted += Self.take(distance, from: &rows, words)
    }
    var members: [[UInt64]: [UInt64]] = [:]
    for (position, row) in rows.enumerated() where row.contains(where: { $0 != 0 }) {
      members[row, default: [UInt64](repeating: 0, count: words)][position / 64] |= 1 << UInt64(position % 64)
    }
    groupCount = members.count
    for (row, positions) in members { groups += positions + row }
    steps = 2 * words * max(distances.count + groupCount, 1)
  }

  /// Adds the positions that come behind one, and tells how many steps lead there.
  private static func reach(
    _ program: PatternProgram, from position: Int, _ assertions: UInt8, _ seen: inout [Int], _ row: inout [UInt64]
  ) -> Int {
    let match = program.positionCount + 1
    var (left, count) = ([program.behind[position]], 0)
    while let step = left.popLast() {
      guard seen[step] != position else { continue }
      seen[step] = position
      count += 1
      switch program.steps[step] {
      case .position(let next): row[next / 64] |= 1 << UInt64(next % 64)
      case .match: row[match / 64] |= 1 << UInt64(match % 64)
      case .both(let one, let other):
        left.append(other)
        left.append(one)
      case .assertion(let assertion, let next): if assertions & assertion.bit != 0 { left.append(next) }
      }
    }
    return count
  }

  /// The distances below 64 at which eight positions or more are followed, and that of one.
  private static func usual(_ rows: [[UInt64]]) -> [Int] {
    var counts = [Int](repeating: 0, count: 64)
    for (position, row) in rows.enumerated() {
      for distance in 1..<64 where (position + distance) / 64 < row.count {
        counts[distance] += Int(row[(position + distance) / 64] >> UInt64((position + distance) % 64) & 1)
      }
    }
    return (1..<64).filter { counts[$0] >= ($0 == 1 ? 1 : 8) }.sorted { counts[$0] > counts[$1] }
      .prefix(mostDistances).sorted()
  }

  /// Takes a distance from what follows, and gives the positions that are followed at it.
  private static func take(_ distance: Int, from rows: inout [[UInt64]], _ words: Int) -> [UInt64] {
    var positions = [UInt64](repeating: 0, count: words)
    for position in rows.indices where (position + distance) / 64 < words {
      let (word, bit) = ((position + distance) / 64, UInt64(1) << UInt64((position + distance) % 64))
      guard rows[position][word] & bit != 0 else { continue }
      rows[position][word] &= ~bit
      positions[position / 64] |= 1 << UInt64(position % 64)
    }
    return positions
  }

  /// Writes the positions that follow some.
  @inline(__always)
  func advance(_ from: UnsafePointer<UInt64>, _ reached: UnsafeMutablePointer<UInt64>, words: Int) {
    for word in 0..<words { reached[word] = 0 }
    shifted.withUnsafeBufferPointer { shifted in
      for index in 0..<distances.count {
        let distance = distances[index]
        var carry: UInt64 = 0
        for word in 0..<words {
          let positions = from[word] & shifted[index * words + word]
          reached[word] |= positions &<< distance | carry
          carry = positions &>> (64 &- distance)
        }
      }
    }
    groups.withUnsafeBufferPointer { groups in
      for group in 0..<groupCount {
        let base = group * 2 * words
        var isIn: UInt64 = 0
        for word in 0..<words { isIn |= from[word] & groups[base + word] }
        if isIn != 0 { for word in 0..<words { reached[word] |= groups[base + words + word] } }
      }
    }
  }
}
