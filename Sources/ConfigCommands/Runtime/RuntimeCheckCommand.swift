import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal

extension RuntimeCommand {
  /// `mpaas runtime check [FILE…]`: duplicates, classes that no source declares, circles of services.
  struct Check: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("check", key: "runtime.check") }

    @Argument(help: .text("command.runtime.check.files"), completion: .file(extensions: ["plist"]))
    var files: [String] = []

    @Flag(help: .text("command.runtime.check.strict"))
    var strict = false

    @OptionGroup var options: RuntimeFileOptions
    @OptionGroup var sources: RuntimeSourceOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> FindingsView {
      let paths = try RuntimeCommand.paths(files, options)
      let tables = try paths.map { try MobileRuntimeFile(ConfigFileWords.read($0), file: $0) }
      let read = try sources.read(for: paths)
      if read.isEmpty { context.terminal.note(StyledText(context.catalogue.text("text.runtime-no-sources"), .faint)) }
      let findings = RuntimeCheck.findings(
        in: tables, target: sources.targetName(for: paths), sources: read, modules: sources.modules)
      return FindingsView(findings, files: paths.count, isStrict: strict, context.catalogue)
    }
  }

  /// `mpaas runtime graph [FILE…]`: the services and those that ask for them.
  struct Graph: MPaaSCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument { case text, dot }

    static var configuration: CommandConfiguration { CommandConfiguration("graph", key: "runtime.graph") }

    @Argument(help: .text("command.runtime.check.files"), completion: .file(extensions: ["plist"]))
    var files: [String] = []

    @Option(help: .text("command.runtime.graph.format"))
    var format = Format.text

    @OptionGroup var options: RuntimeFileOptions
    @OptionGroup var sources: RuntimeSourceOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RuntimeGraphView {
      let paths = try RuntimeCommand.paths(files, options)
      let tables = try paths.map { try MobileRuntimeFile(ConfigFileWords.read($0), file: $0) }
      let graph = RuntimeGraph(files: tables, sources: try sources.read(for: paths))
      return RuntimeGraphView(graph, isDot: format == .dot)
    }
  }

  /// The tables that were named, or the one that is found.
  fileprivate static func paths(_ files: [String], _ options: RuntimeFileOptions) throws -> [String] {
    if !files.isEmpty { return files }
    return [try ConfigFileWords([], option: options.file, name: RuntimeFileOptions.fileName).file]
  }
}

/// The services and those that ask for them.
struct RuntimeGraphView: Presentable {
  struct Node: Encodable {
    let kind: RuntimeGraph.Kind
    let name: String
    let `class`: String
    let launcher: Bool
    /// Tells whether its class was found in the sources.
    let known: Bool
  }

  struct Edge: Encodable {
    /// Indexes of nodes.
    let from: Int
    let to: Int
    let place: String
  }

  private enum CodingKeys: String, CodingKey { case nodes, edges, circles }

  let nodes: [Node]
  let edges: [Edge]
  /// The names of services that ask for each other.
  let circles: [[String]]
  private let graph: RuntimeGraph
  private let isDot: Bool

  init(_ graph: RuntimeGraph, isDot: Bool) {
    self.graph = graph
    self.isDot = isDot
    nodes = graph.nodes.map {
      Node(kind: $0.kind, name: $0.name, class: $0.className, launcher: $0.isLauncher, known: $0.isKnown)
    }
    edges = graph.edges.map { Edge(from: $0.from, to: $0.to, place: "\($0.place)") }
    circles = graph.circles.map { circle in circle.map { graph.nodes[$0.from].name } }
  }

  func document(_ catalogue: Catalogue) -> Document {
    if isDot { return Document(lines: graph.dot.split(separator: "\n").map { StyledText(verbatim: String($0)) }) }
    var document = Document()
    for (index, node) in nodes.enumerated() {
      var line = StyledText(catalogue.text("text.runtime-kind-\(node.kind.rawValue)") + " ", .faint)
      line.append(node.name, .function)
      if node.name != node.class { line.append(" (\(node.class))") }
      if node.launcher { line.append(" " + catalogue.text("text.runtime-launcher"), .good) }
      document.line(line)
      for edge in edges where edge.from == index {
        document.line(
          StyledText("  → ") + StyledText(nodes[edge.to].name, .function) + StyledText("  " + edge.place, .path))
      }
    }
    for circle in circles {
      let path = (circle + circle.prefix(1)).joined(separator: " → ")
      document.line(StyledText(catalogue.text("text.runtime-circle", ["path": path]), .bad))
    }
    return document
  }
}
