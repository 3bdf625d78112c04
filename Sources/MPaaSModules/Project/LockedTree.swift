/// A module that a target uses, with what it needs.
package struct LockedTree: Sendable, Equatable {
  package let step: LockedGraph.Step
  /// True if its needs are shown further up.
  package let isRepeated: Bool
  package let needs: [LockedTree]
}

extension LockedGraph {
  /// The modules that the project asks for, each with what it needs; what needs something grows only once.
  ///
  /// - Parameter depth: The levels that grow at most; what the project asks for is the first, and always there.
  package func trees(depth: Int) -> [LockedTree] {
    var shown: Set<String> = []
    // Each module grows once, so that the depth is at most their number.
    func tree(_ step: Step, level: Int) -> LockedTree {
      let needs = needs(of: step.name)
      let isNew = shown.insert(step.name).inserted
      var trees: [LockedTree] = []
      if isNew, level < depth { for need in needs { trees.append(tree(need, level: level + 1)) } }
      return LockedTree(step: step, isRepeated: !isNew && !needs.isEmpty, needs: trees)
    }
    return roots.map { tree($0, level: 1) }
  }
}
