extension CallTree {
  /// One line of the tree as text.
  package struct Line: Sendable {
    /// 0 at the top.
    package let depth: Int
    /// A place in `nodes`.
    package let node: Int
    /// The children that are left out: they weigh too little, or are too deep.
    package let omitted: Int
    /// The only child of the node above it, which is then no deeper.
    package let isOnly: Bool
  }

  /// The lines of the tree in the order in which they are read, without branches below a share of the whole.
  ///
  /// - Parameters:
  ///   - share: From 0 to 1.
  ///   - depth: How many levels there may be.
  ///   - most: How many lines there may be.
  ///   - foldsChains: An only child stays as deep as its parent: a screen is not as wide as stacks are deep.
  package func lines(
    least share: Double, depth: Int = .max, most: Int = .max, foldsChains: Bool = false
  ) -> [Line] {
    var lines: [Line] = []
    var waiting = roots.reversed().map { (node: Int($0), depth: 0, isOnly: false) }
    waiting.removeAll { self.share(of: nodes[$0.node].total) < share }
    while let (node, level, isOnly) = waiting.popLast(), lines.count < most {
      let shown = nodes[node].children.filter { self.share(of: nodes[Int($0)].total) >= share }
      let isDeep = level + 1 >= depth
      let children = isDeep ? [] : shown
      lines.append(Line(depth: level, node: node, omitted: nodes[node].children.count - children.count, isOnly: isOnly))
      let isChain = foldsChains && children.count == 1 && level > 0
      for child in children.reversed() { waiting.append((Int(child), isChain ? level : level + 1, isChain)) }
    }
    return lines
  }
}
