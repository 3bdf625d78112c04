package import MPaaSToolSupport

/// A call tree as a flame graph: the outermost functions at the top, each box as wide as its part of all samples.
package enum FlameGraph {
  /// Boxes that are narrower than this part of the picture are left out: they could not be seen, zoomed in neither.
  private static let leastShare = 0.00005
  /// More boxes make browsers slow; those that weigh least are left out first.
  private static let mostBoxes = 30_000

  /// The picture of a tree.
  ///
  /// - Parameters:
  ///   - title: What was sampled.
  ///   - subtitle: How it was sampled.
  ///   - tip: The line for a weight and its part of the whole, from 0 to 1.
  package static func picture(
    _ tree: CallTree, title: String, subtitle: String, words: FlamePicture.Words, tip: (Int64, Double) -> String
  ) -> FlamePicture {
    let least = leastWeight(tree)
    var boxes: [FlamePicture.Box] = []
    // Nodes with the place at which they begin, by weight.
    var waiting: [(node: Int, left: Int64, row: Int)] = []
    func add(_ nodes: [Int32], from left: Int64, _ row: Int) {
      var left = left
      for node in nodes {
        let total = tree.nodes[Int(node)].total
        if total >= least, total > 0 { waiting.append((Int(node), left, row)) }
        left = left.addingSaturating(max(0, total))
      }
    }
    add(tree.roots, from: 0, 0)
    while let (node, left, row) = waiting.popLast() {
      let total = tree.nodes[node].total
      let image = tree.image(of: node)
      boxes.append(
        FlamePicture.Box(
          name: tree.name(of: node), tip: (image.map { "\($0)\n" } ?? "") + tip(total, tree.share(of: total)),
          color: color(tree, node, image), left: tree.share(of: left), width: tree.share(of: total), row: row))
      add(tree.nodes[node].children, from: left, row + 1)
    }
    return FlamePicture(title: title, subtitle: subtitle, boxes: boxes, words: words)
  }

  private static func leastWeight(_ tree: CallTree) -> Int64 {
    let least = max(1, Int64(Double(tree.total) * leastShare))
    let totals = tree.nodes.lazy.map(\.total).filter { $0 >= least }
    guard totals.count > mostBoxes else { return least }
    return totals.sorted(by: >)[mostBoxes]
  }

  /// Gray for threads, blue for what waits; else a warm hue for each image, a little brighter or darker by function.
  private static func color(_ tree: CallTree, _ node: Int, _ image: String?) -> String {
    let entry = tree.nodes[node]
    guard entry.function >= 0 else { return "#d7dbe0" }
    let light = 62 + hash(tree.name(of: node)) % 14
    if entry.waiting > entry.total / 2 { return "hsl(208 62% \(light)%)" }
    return "hsl(\(image.map { hash($0) % 52 } ?? 0) 82% \(light)%)"
  }

  /// FNV-1a, so that a function has the same color in every graph.
  private static func hash(_ text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }
}
