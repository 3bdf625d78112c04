/// A part of a regular expression as it was written.
indirect enum JavaPatternNode {
  case empty
  case scalar(UInt32, ignoresCase: Bool)
  case set(JavaScalarSet, ignoresCase: Bool)
  case any(matchesLineEnds: Bool)
  case assertion(JavaAssertion)
  case sequence([JavaPatternNode])
  case alternatives([JavaPatternNode])
  case group(JavaPatternNode, number: Int)
  case repetition(JavaPatternNode, least: Int, most: Int?, Mode)
  case backReference(Int, ignoresCase: Bool)
  case look(JavaPatternNode, isAhead: Bool, isNegative: Bool)
  case atomic(JavaPatternNode)

  enum Mode { case greedy, lazy, possessive }

  /// The least and the most scalars that it can take; nil for no limit.
  var widths: (least: Int, most: Int?) {
    switch self {
    case .empty, .assertion, .look: (0, 0)
    case .scalar, .set, .any: (1, 1)
    case .backReference: (0, nil)
    case .group(let node, _), .atomic(let node): node.widths
    case .sequence(let nodes):
      nodes.reduce((0, 0)) { sum, node in
        let own = node.widths
        return (Self.sum(sum.0, own.least), sum.1.flatMap { most in own.most.map { Self.sum(most, $0) } })
      }
    case .alternatives(let nodes):
      nodes.dropFirst().reduce(nodes.first?.widths ?? (0, 0)) { widest, node in
        let own = node.widths
        return (min(widest.least, own.least), widest.most.flatMap { most in own.most.map { max(most, $0) } })
      }
    case .repetition(let node, let least, let most, _):
      (
        Self.product(node.widths.least, least),
        node.widths.most.flatMap { own in own == 0 ? 0 : most.map { Self.product(own, $0) } }
      )
    }
  }

  private static func sum(_ one: Int, _ other: Int) -> Int { min(one + other, 1 << 30) }
  private static func product(_ one: Int, _ other: Int) -> Int {
    let (value, overflow) = one.multipliedReportingOverflow(by: other)
    return overflow ? 1 << 30 : min(value, 1 << 30)
  }
}

/// A condition on a place in a text.
enum JavaAssertion: Sendable {
  case textStart, textEnd, lastLineEnd, lineStart, lineEnd, wordBoundary, noWordBoundary
}

/// The reason why a regular expression cannot be read, with the place in scalars.
package struct JavaPatternError: Error, Sendable, Equatable {
  package let reason: String
  package let offset: Int
}
