/// The weights of each function over all stacks; one that calls itself counts once.
package struct FunctionTotals: Sendable {
  package struct Entry: Sendable {
    /// A row of the profile's functions, or the group that was asked for.
    package let function: Int
    /// The weight of the samples in which it was running.
    package fileprivate(set) var own: Int64 = 0
    /// The weight of the samples in which it was running or had called another.
    package fileprivate(set) var total: Int64 = 0
  }

  /// By rows of functions, or by groups.
  package private(set) var entries: [Entry]

  /// - Parameters:
  ///   - tree: One from the top down.
  ///   - groups: For each row of functions the group that it counts for, from 0; nil where each is one.
  package init(_ tree: CallTree, groups: [Int]? = nil) {
    let count = groups.map { ($0.max() ?? -1) + 1 } ?? tree.profile.functions.count
    entries = (0..<count).map { Entry(function: $0) }
    // The number of times that each is open on the way to the node.
    var open = [Int32](repeating: 0, count: count)
    // Places of nodes, below 0 where they are left.
    var path = tree.roots.reversed().map { Int($0) }
    while let step = path.popLast() {
      let node = tree.nodes[step < 0 ? -step - 1 : step]
      let entry = node.function < 0 ? -1 : groups?[node.function] ?? node.function
      if step < 0 {
        if entry >= 0 { open[entry] -= 1 }
        continue
      }
      if entry >= 0 {
        entries[entry].own = entries[entry].own.addingSaturating(node.own)
        if open[entry] == 0 { entries[entry].total = entries[entry].total.addingSaturating(node.total) }
        open[entry] += 1
      }
      path.append(-step - 1)
      for child in node.children.reversed() { path.append(Int(child)) }
    }
  }

  /// The functions that were running the most themselves, the greatest first.
  package func hottest(_ count: Int, in profile: Profile) -> [Entry] {
    let sorted = entries.filter { $0.own > 0 }.sorted { left, right in
      if left.own != right.own { return left.own > right.own }
      return profile.name(ofFunction: left.function) < profile.name(ofFunction: right.function)
    }
    return Array(sorted.prefix(count))
  }
}
