import MPaaSProfile
import MPaaSSupport
import MPaaSTerminal

/// A profile as a tree of calls, and the functions that were running the most.
struct ProfileView: Presentable {
  private let tree: CallTree
  private let lines: [CallTree.Line]
  private let hottest: [FunctionTotals.Entry]
  private let isBottomUp: Bool
  private let width: Int?

  /// - Parameters:
  ///   - share: The least part of the whole that is shown, from 0 to 1.
  ///   - top: The number of functions below the tree.
  init(_ tree: CallTree, least share: Double, depth: Int, top: Int, isBottomUp: Bool, width: Int?) {
    self.tree = tree
    lines = tree.lines(least: share, depth: depth, foldsChains: !isBottomUp)
    self.isBottomUp = isBottomUp
    self.width = width
    hottest = isBottomUp ? [] : FunctionTotals(tree).hottest(top, in: tree.profile)
  }

  private var unit: SampleUnit { tree.profile.type.unit }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    document.line(StyledText(tree.profile.name, .emphasis) + StyledText(": " + headline(catalogue)))
    guard tree.total != 0 else { return document }
    document.line()
    let key = isBottomUp ? "text.perf-bottom-up" : "text.perf-top-down"
    document.line(StyledText(catalogue.text(key), .faint))
    for line in lines { document.line(cut(text(line, catalogue))) }
    guard !hottest.isEmpty else { return document }
    document.line()
    document.line(StyledText(catalogue.text("text.perf-hottest"), .heading))
    let columns = [
      Table.Column(catalogue.text("text.perf-own"), isNumeric: true),
      Table.Column(catalogue.text("text.perf-share"), isNumeric: true),
      Table.Column(catalogue.text("text.perf-total"), isNumeric: true),
      Table.Column(catalogue.text("text.perf-function")),
      Table.Column(catalogue.text("text.perf-image"), isOptional: true),
    ]
    document.table(Table(columns: columns, rows: hottest.map(row)))
    return document
  }

  private func headline(_ catalogue: Catalogue) -> String {
    let profile = tree.profile
    return catalogue.text(
      "text.perf-headline",
      [
        "total": WeightText.text(tree.total, unit), "type": profile.type.name, "samples": "\(profile.sampleCount)",
        "threads": "\(profile.threads.count)",
      ])
  }

  private func row(_ entry: FunctionTotals.Entry) -> [StyledText] {
    [
      StyledText(WeightText.text(entry.own, unit), .number),
      StyledText(WeightText.share(entry.own, of: tree.total), .number),
      StyledText(WeightText.text(entry.total, unit), .number),
      StyledText(tree.profile.name(ofFunction: entry.function), .function),
      StyledText(tree.profile.image(ofFunction: entry.function)?.name ?? "", .path),
    ]
  }

  private func text(_ line: CallTree.Line, _ catalogue: Catalogue) -> StyledText {
    let node = tree.nodes[line.node]
    let isThread = node.function < 0
    var text = StyledText(Self.leading(WeightText.text(node.total, unit), 9), .number)
    text.append("  ")
    text.append(Self.leading(WeightText.share(node.total, of: tree.total), 7), .number)
    text.append("  " + String(repeating: "  ", count: line.depth))
    if line.isOnly { text.append("└ ", .faint) }
    text.append(tree.name(of: line.node), isThread ? .heading : .function)
    if let image = tree.image(of: line.node) { text.append("  (\(image))", .faint) }
    if !isBottomUp, node.own > 0, node.own < node.total {
      text.append("  " + catalogue.text("text.perf-self", ["weight": WeightText.text(node.own, unit)]), .faint)
    }
    if node.waiting > 0 {
      let waited = WeightText.share(node.waiting, of: max(node.total, 1))
      text.append("  " + catalogue.text("text.perf-waiting", ["share": waited]), .faint)
    }
    return text
  }

  private func cut(_ text: StyledText) -> StyledText { width.map { text.truncated(toWidth: $0) } ?? text }

  private static func leading(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.displayWidth)) + text
  }
}

extension ProfileView {
  private enum CodingKeys: String, CodingKey { case name, type, unit, types, samples, threads, total, tree, hottest }

  /// A line of the tree: nodes follow their parents, one level deeper.
  private struct Node: Encodable {
    let function: String
    let image: String?
    let file: String?
    let depth: Int
    let total, own, waiting: Int64
    let share: Double
  }

  private struct Thread: Encodable {
    let name: String
    let id, process: Int64
    let samples: Int
    let total: Int64
  }

  func encode(to encoder: any Encoder) throws {
    let profile = tree.profile
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(profile.name, forKey: .name)
    try container.encode(profile.type.name, forKey: .type)
    try container.encode(profile.type.unit.name, forKey: .unit)
    try container.encode(profile.types.map(\.name), forKey: .types)
    try container.encode(profile.sampleCount, forKey: .samples)
    try container.encode(tree.total, forKey: .total)
    let threads = profile.threads.map { thread in
      Thread(
        name: thread.name, id: thread.id, process: thread.process, samples: thread.count,
        total: thread.total(of: profile.shown, of: profile.types.count))
    }
    try container.encode(threads, forKey: .threads)
    let depths = depths
    let nodes = lines.map { line in
      let node = tree.nodes[line.node]
      return Node(
        function: tree.name(of: line.node), image: tree.image(of: line.node), file: file(node.function),
        depth: depths[line.node] ?? 0, total: node.total, own: node.own, waiting: node.waiting,
        share: tree.share(of: node.total))
    }
    try container.encode(nodes, forKey: .tree)
    let hot = hottest.map { entry in
      Node(
        function: profile.name(ofFunction: entry.function), image: profile.image(ofFunction: entry.function)?.name,
        file: file(entry.function), depth: 0, total: entry.total, own: entry.own, waiting: 0,
        share: tree.share(of: entry.own))
    }
    try container.encode(hot, forKey: .hottest)
  }

  /// The depths of the nodes that are shown, without chains folded.
  private var depths: [Int: Int] {
    var depths: [Int: Int] = [:]
    for line in lines { depths[line.node] = (depths[tree.nodes[line.node].parent] ?? -1) + 1 }
    return depths
  }

  private func file(_ function: Int) -> String? {
    guard function >= 0 else { return nil }
    let file = tree.profile.strings[Int(tree.profile.functions.files[function])]
    return file.isEmpty ? nil : file
  }
}
