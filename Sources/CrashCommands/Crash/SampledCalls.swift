import CommandKit
import MPaaSCrash
import MPaaSCrashReport
import MPaaSProfile
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

/// A sampling profile as a call tree and a list of the functions that were running.
struct SampledCalls: Presentable {
  private let tree: CallTree
  private let process: CrashReport.Process
  private let looks: Int
  /// Milliseconds.
  private let interval: Double
  private let least: Int
  private let svg: String?
  private let file: String?

  /// - Parameters:
  ///   - svg: The flame graph's file.
  ///   - file: The profile's.
  init(_ profile: SampleProfile, least: Int, svg: String?, file: String?) {
    tree = CallTree(profile.profile, byThread: true)
    process = profile.report.process
    looks = profile.looks
    interval = Double(profile.interval) / 1_000_000
    self.least = least
    self.svg = svg
    self.file = file
  }

  /// Writes the flame graph.
  func writeGraph(to path: String, _ catalogue: Catalogue) throws(FileError) {
    let picture = FlameGraph.picture(
      tree, title: "\(process.name) [\(process.pid)]", subtitle: headline(catalogue),
      words: FlamePicture.Words(catalogue)
    ) { weight, _ in
      catalogue.text("text.sample-tip", ["count": "\(weight)", "share": TraceTime.share(weight, of: tree.total)])
    }
    try Bytes(Array(picture.svg.utf8)).write(to: path)
  }

  /// Writes the profile in the format that the file's name tells.
  func writeProfile(to path: String) throws {
    try Bytes(ProfileOutput(path: path).bytes(tree.profile)).write(to: path)
  }

  private func headline(_ catalogue: Catalogue) -> String {
    catalogue.text(
      "text.sample-headline",
      ["looks": "\(looks)", "interval": Self.plain(interval), "threads": "\(tree.roots.count)"])
  }

  private static func plain(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    document.line(StyledText("\(process.name) [\(process.pid)]: ", .emphasis) + StyledText(headline(catalogue)))
    document.line()
    for line in tree.lines(least: Double(least) / 100) {
      let node = tree.nodes[line.node]
      let count = String(node.total)
      let indent = String(repeating: " ", count: max(8 - count.count, 1)) + String(repeating: "  ", count: line.depth)
      var text = StyledText(count, .number)
      text.append(indent)
      text.append(tree.name(of: line.node), line.depth == 0 ? .heading : .function)
      if let image = tree.image(of: line.node) { text.append("  (\(image))", .faint) }
      text.append("  \(Int(tree.share(of: node.total) * 100)) %", .faint)
      document.line(text)
    }
    let hottest = hottest
    guard !hottest.isEmpty else { return document }
    document.line()
    document.line(StyledText(catalogue.text("text.sample-hottest"), .heading))
    let columns = ["own", "function", "image"].map { Table.Column(catalogue.text("text.sample-\($0)")) }
    document.table(
      Table(
        columns: columns,
        rows: hottest.map {
          [StyledText("\($0.own)", .number), StyledText($0.function, .function), StyledText($0.image ?? "")]
        }))
    for path in [svg, file].compactMap(\.self) { document.line(StyledText(path, .path)) }
    return document
  }

  private enum CodingKeys: String, CodingKey {
    case process, pid, looks, interval, samples, threads, hottest, svg, profile
  }

  private struct Node: Encodable {
    let function: String
    let image: String?
    let total: Int64
    let own: Int64
    let children: [Node]

    init(_ place: Int32, _ tree: CallTree) {
      let node = tree.nodes[Int(place)]
      function = tree.name(of: Int(place))
      image = tree.image(of: Int(place))
      total = node.total
      own = node.own
      children = node.children.map { Node($0, tree) }
    }
  }

  private struct Hot: Encodable {
    let function: String
    let image: String?
    let own: Int64
  }

  private var hottest: [Hot] {
    FunctionTotals(tree).hottest(10, in: tree.profile).map { entry in
      Hot(
        function: tree.profile.name(ofFunction: entry.function),
        image: tree.profile.image(ofFunction: entry.function)?.name, own: entry.own)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(process.name, forKey: .process)
    try container.encode(process.pid, forKey: .pid)
    try container.encode(looks, forKey: .looks)
    try container.encode(interval, forKey: .interval)
    try container.encode(tree.total, forKey: .samples)
    try container.encode(tree.roots.map { Node($0, tree) }, forKey: .threads)
    try container.encode(hottest, forKey: .hottest)
    try container.encodeIfPresent(svg, forKey: .svg)
    try container.encodeIfPresent(file, forKey: .profile)
  }
}
