/// A regular expression as a tree.
indirect enum PatternNode {
  case empty
  /// One scalar of a set.
  case scalar(ScalarSet)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// From `least` to `most` times; without end where `most` is nil.
  case repeated(PatternNode, least: Int, most: Int?)
  case assertion(Assertion)
  /// A group whose place is told, by its number from 1; only where the parser keeps groups.
  case group(PatternNode, Int)
  /// A repetition of which the shortest is wanted first; only where the parser keeps groups.
  case lazy(PatternNode)

  /// A condition on the place between two scalars.
  enum Assertion: UInt8, CaseIterable {
    case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary

    /// The bit of the condition among all.
    var bit: UInt8 { 1 << rawValue }
  }

  /// Tells whether nothing at all is matched, too, whatever stands around.
  var isNullable: Bool {
    switch self {
    case .empty: true
    case .assertion, .scalar: false
    case .sequence(let nodes): nodes.allSatisfy(\.isNullable)
    case .choice(let nodes): nodes.contains(where: \.isNullable)
    case .repeated(let inner, let least, _): least == 0 || inner.isNullable
    case .group(let inner, _), .lazy(let inner): inner.isNullable
    }
  }

  /// The most often that a scalar in the node is repeated by counts, those of counts in one another multiplied.
  var mostTimes: Int {
    switch self {
    case .empty, .assertion, .scalar: 1
    case .sequence(let nodes), .choice(let nodes): nodes.map(\.mostTimes).max() ?? 1
    case .repeated(let inner, let least, let most): max(least, most ?? 0, 1) * inner.mostTimes
    case .group(let inner, _), .lazy(let inner): inner.mostTimes
    }
  }

  /// A repetition of this node, with the inner of repetitions in it where that matches the same.
  ///
  /// `(x?){1000}` has each of its positions followed by all behind it, `x{0,1000}` only by the next one.
  func times(_ least: Int, _ most: Int?) -> PatternNode {
    let least = isNullable ? 0 : least
    guard most != 0 else { return .empty }
    guard least == 0, case .repeated(let inner, let innerLeast, let innerMost) = self, innerLeast <= 1 else {
      return .repeated(self, least: least, most: most)
    }
    if innerMost == nil { return .repeated(inner, least: 0, most: nil) }
    return innerMost == 1 ? .repeated(inner, least: 0, most: most) : .repeated(self, least: 0, most: most)
  }
}
