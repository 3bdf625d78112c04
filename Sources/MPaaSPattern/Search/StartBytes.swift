/// The bytes with which a match may begin, so that a search passes over all others.
struct StartBytes: Sendable {
  /// True for a byte that may begin one; nil where a match may take none.
  private let isMember: [Bool]?

  init(_ node: PatternNode) {
    guard !node.takesNothing else {
      isMember = nil
      return
    }
    let set = node.starts
    let hasOthers = set.ranges.last.map { $0.upperBound >= 0x80 } ?? false
    isMember = (0..<256).map { $0 < 0x80 ? set.contains(UInt32($0)) : hasOthers }
  }

  /// The next place at which a match may begin: the end where there is none; nil where that cannot be told.
  func first(in bytes: UnsafeBufferPointer<UInt8>, from place: Int) -> Int? {
    guard let isMember else { return nil }
    return isMember.withUnsafeBufferPointer { isMember in
      var place = place
      while place < bytes.count, !isMember[Int(bytes[place])] { place += 1 }
      return place
    }
  }
}

extension PatternNode {
  /// The scalars with which a match may begin that takes any.
  fileprivate var starts: ScalarSet {
    switch self {
    case .empty, .assertion: return ScalarSet()
    case .scalar(let set): return set
    case .group(let inner, _), .lazy(let inner), .repeated(let inner, _, _): return inner.starts
    case .choice(let nodes):
      return nodes.reduce(into: ScalarSet()) { $0.formUnion($1.starts) }
    case .sequence(let nodes):
      var union = ScalarSet()
      for node in nodes {
        union.formUnion(node.starts)
        if !node.takesNothing { break }
      }
      return union
    }
  }

  /// Tells whether it may match without taking a scalar, where its assertions hold.
  fileprivate var takesNothing: Bool {
    switch self {
    case .empty, .assertion: true
    case .scalar: false
    case .group(let inner, _), .lazy(let inner): inner.takesNothing
    case .repeated(let inner, let least, _): least == 0 || inner.takesNothing
    case .sequence(let nodes): nodes.allSatisfy(\.takesNothing)
    case .choice(let nodes): nodes.contains(where: \.takesNothing)
    }
  }
}
