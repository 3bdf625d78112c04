/// The kinds of places between scalars, as far as the assertions of an expression tell them apart.
struct Surroundings: Sendable {
  /// The kind of the scalar before a place; behind it stands `textEnd` instead of the start.
  enum Side: Int, CaseIterable {
    case edge, lineFeed, word, other

    init(_ scalar: UInt32) {
      self = scalar == 0x0a ? .lineFeed : ScalarSet.words.contains(scalar) ? .word : .other
    }
  }

  /// The bits of the assertions that hold in places of each kind.
  private(set) var kinds: [UInt8] = []
  /// The kind of each pair of sides, the one before in steps of four.
  private(set) var table: [UInt8] = []
  /// The first of the sides before that lead to the same kinds.
  private(set) var before: [UInt8] = []

  init(_ assertions: UInt8) {
    for before in Side.allCases {
      for behind in Side.allCases {
        let bits = Self.bits(before, behind) & assertions
        let kind = kinds.firstIndex(of: bits) ?? kinds.count
        if kind == kinds.count { kinds.append(bits) }
        table.append(UInt8(kind))
      }
    }
    before = (0..<4).map { side in
      let row = table[side * 4..<side * 4 + 4]
      return UInt8((0..<side).first { table[$0 * 4..<$0 * 4 + 4].elementsEqual(row) } ?? side)
    }
  }

  func kind(_ before: Int, _ behind: Int) -> Int { Int(table[before * 4 + behind]) }

  private static func bits(_ before: Side, _ behind: Side) -> UInt8 {
    let isBoundary = (before == .word) != (behind == .word)
    return PatternNode.Assertion.allCases.reduce(0) { bits, assertion in
      let holds =
        switch assertion {
        case .textStart: before == .edge
        case .textEnd: behind == .edge
        case .lineStart: before == .edge || before == .lineFeed
        case .lineEnd: behind == .edge || behind == .lineFeed
        case .wordBoundary: isBoundary
        case .noWordBoundary: !isBoundary
        }
      return holds ? bits | assertion.bit : bits
    }
  }
}
