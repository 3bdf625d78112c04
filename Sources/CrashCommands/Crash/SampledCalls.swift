import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTerminal

/// A sampling profile as a call tree and a list of the functions that were running.
struct SampledCalls: Presentable {
  private let tree: CallTree
  private let process: CrashReport.Process
  private let looks: Int
  /// Milliseconds.
  private let interval: Double
  private let least: Int
  private let svg: String?

  init(_ profile: SampleProfile, least: Int, svg: String?) {
    tree = CallTree(profile)
    process = profile.report.process
    looks = profile.looks
    interval = Double(profile.interval) / 1_000_000
    self.least = least
    self.svg = svg
  }

  /// Writes the flame graph.
  func writeGraph(to path: String, _ catalogue: Catalogue) throws(FileError) {
    let graph = FlameGraph(tree, title: "\(process.name) [\(process.pid)]", subtitle: headline(catalogue))
    try Bytes(Array(graph.svg.utf8)).write(to: path)
  }

  private func headline(_ catalogue: Catalogue) -> String {
    catalogue.text(
      "text.sample-headline",
      ["looks": "\(looks)", "interval": Self.plain(interval), "threads": "\(tree.threads.count)"])
  }

  private static func plain(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    document.line(StyledText("\(process.name) [\(process.pid)]: ", .emphasis) + StyledText(headline(catalogue)))
    document.line()
    for line in tree.lines(least: least) {
      let count = String(line.node.total)
      let indent = String(repeating: " ", count: max(8 - count.count, 1)) + String(repeating: "  ", count: line.depth)
      var text = StyledText(count, .number)
      text.append(indent)
      text.append(line.node.name, line.depth == 0 ? .heading : .function)
      if let image = line.node.image { text.append("  (\(image))", .faint) }
      text.append("  \(line.percent) %", .faint)
      document.line(text)
    }
    let hottest = tree.hottest()
    guard !hottest.isEmpty else { return document }
    document.line()
    document.line(StyledText(catalogue.text("text.sample-hottest"), .heading))
    let columns = ["own", "function", "image"].map { Table.Column(catalogue.text("text.sample-\($0)")) }
    document.table(
      Table(
        columns: columns,
        rows: hottest.map {
          [StyledText("\($0.own)", .number), StyledText($0.name, .function), StyledText($0.image ?? "")]
        }))
    if let svg { document.line(StyledText(svg, .path)) }
    return document
  }

  private enum CodingKeys: String, CodingKey { case process, pid, looks, interval, samples, threads, hottest, svg }

  private struct Node: Encodable {
    let function: String
    let image: String?
    let total: Int
    let own: Int
    let children: [Node]

    init(_ node: CallTree.Node) {
      function = node.name
      image = node.image
      total = node.total
      own = node.own
      children = node.children.map(Node.init)
    }
  }

  private struct Hot: Encodable {
    let function: String
    let image: String?
    let own: Int
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(process.name, forKey: .process)
    try container.encode(process.pid, forKey: .pid)
    try container.encode(looks, forKey: .looks)
    try container.encode(interval, forKey: .interval)
    try container.encode(tree.total, forKey: .samples)
    try container.encode(tree.threads.map(Node.init), forKey: .threads)
    try container.encode(tree.hottest().map { Hot(function: $0.name, image: $0.image, own: $0.own) }, forKey: .hottest)
    try container.encodeIfPresent(svg, forKey: .svg)
  }
}
