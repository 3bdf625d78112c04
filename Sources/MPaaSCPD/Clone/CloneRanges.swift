/// Clones as ranges of the stream, without those that say nothing more than a larger one.
struct CloneRanges {
  struct Found {
    var type: CloneType
    var tokens: Int
    var similarity: Double
    var places: [Range<Int>]
    /// The pieces of one place that are alike.
    var parts: [Range<Int>]
  }

  private var all: [Found] = []

  mutating func add(_ type: CloneType, _ found: TokenRepeat) {
    let places = found.places.map { $0..<$0 + found.length }
    all.append(Found(type: type, tokens: found.length, similarity: 1, places: places, parts: [places[0]]))
  }

  mutating func add(_ found: Found) { all.append(found) }

  /// Tells whether the places lie in those of one clone that is there.
  func covers(_ places: [Range<Int>]) -> Bool {
    all.contains { other in
      places.allSatisfy { place in
        other.places.contains { $0.lowerBound <= place.lowerBound && place.upperBound <= $0.upperBound }
      }
    }
  }

  /// The largest first; none whose places all lie in those of another one that is alike as much.
  ///
  /// Parts that are the same inside of renamed code stay, since they are alike more.
  func kept() -> [Found] {
    let sorted = all.sorted {
      let (left, right) = ($0.places[0].count, $1.places[0].count)
      if left != right { return left > right }
      if $0.type != $1.type { return $0.type.rawValue < $1.type.rawValue }
      if $0.places[0].lowerBound != $1.places[0].lowerBound {
        return $0.places[0].lowerBound < $1.places[0].lowerBound
      }
      return $0.places.count > $1.places.count
    }
    var kept: [Found] = []
    var index: [Int: [Int]] = [:]
    for found in sorted {
      let candidates = index[found.places[0].lowerBound >> Self.bucket] ?? []
      if candidates.contains(where: { Self.contains(kept[$0], found) }) { continue }
      for place in found.places {
        for bucket in place.lowerBound >> Self.bucket...(place.upperBound - 1) >> Self.bucket {
          index[bucket, default: []].append(kept.count)
        }
      }
      kept.append(found)
    }
    return kept
  }

  /// The power of two of the tokens in a bucket of the index.
  private static let bucket = 8

  private static func contains(_ large: Found, _ small: Found) -> Bool {
    if large.type == .renamed, small.type == .exact { return false }
    return small.places.allSatisfy { place in
      // The last that begins before it or with it; places are in order.
      var low = 0
      var high = large.places.count
      while low < high {
        let middle = (low + high) / 2
        if large.places[middle].lowerBound <= place.lowerBound { low = middle + 1 } else { high = middle }
      }
      return low > 0 && large.places[low - 1].upperBound >= place.upperBound
    }
  }
}
