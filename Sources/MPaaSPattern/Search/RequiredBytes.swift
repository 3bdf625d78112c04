/// A set of bytes of which each match has one: where none is in a text, there is no match.
struct RequiredBytes: Sendable {
  /// True for a byte of the set, and for each one where no set tells anything.
  let isMember: [Bool]
  let tellsAnything: Bool

  init(_ node: PatternNode) {
    let best = node.requiredSets.min { Self.weight($0) < Self.weight($1) }
    guard let best, Self.weight(best) < Self.mostWeight else {
      (isMember, tellsAnything) = ([Bool](repeating: true, count: 256), false)
      return
    }
    let hasOthers = best.ranges.last.map { $0.upperBound >= 0x80 } ?? false
    isMember = (0..<256).map { $0 < 0x80 ? best.contains(UInt32($0)) : hasOthers }
    tellsAnything = true
  }

  /// Sets of so many letters stand in every text.
  private static let mostWeight = 200

  /// A measure of how common the scalars of a set are in texts.
  private static func weight(_ set: ScalarSet) -> Int {
    (UInt32(0)..<0x80).reduce(set.ranges.last.map { $0.upperBound >= 0x80 } ?? false ? 100 : 0) { sum, scalar in
      set.contains(scalar) ? sum + (ScalarSet.words.contains(scalar) ? 10 : 1) : sum
    }
  }

  func isMet(by bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard tellsAnything else { return true }
    return isMember.withUnsafeBufferPointer { isMember in
      for byte in bytes where isMember[Int(byte)] { return true }
      return false
    }
  }
}

extension PatternNode {
  /// Sets of each of which every match has a scalar.
  fileprivate var requiredSets: [ScalarSet] {
    switch self {
    case .empty, .assertion: return []
    case .scalar(let set): return [set]
    case .group(let inner, _), .lazy(let inner): return inner.requiredSets
    case .sequence(let nodes): return nodes.flatMap(\.requiredSets)
    case .repeated(let inner, let least, _): return least > 0 ? inner.requiredSets : []
    case .choice(let nodes):
      // One set of each way, the smallest: together they are one.
      var union = ScalarSet()
      for node in nodes {
        let smallest = node.requiredSets.min { left, right in
          left.ranges.reduce(0) { $0 + $1.count } < right.ranges.reduce(0) { $0 + $1.count }
        }
        guard let smallest else { return [] }
        union.formUnion(smallest)
      }
      return [union]
    }
  }
}
