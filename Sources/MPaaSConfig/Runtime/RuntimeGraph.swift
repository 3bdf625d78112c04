import MPaaSDeclarations
package import MPaaSSupport

/// The micro-apps, services and modules, and the services and micro-apps that they ask for.
package struct RuntimeGraph: Sendable {
  package enum Kind: String, Sendable, Codable { case application, service, module }

  package struct Node: Sendable, Equatable {
    package let kind: Kind
    package let name: String
    package let className: String
    package let place: Place?
    package let isLauncher: Bool
    /// Tells whether its class was found in the sources, so that what it asks for is known.
    package internal(set) var isKnown = false
  }

  package struct Edge: Sendable, Equatable {
    /// Indexes of nodes.
    package let from: Int
    package let to: Int
    /// The place of the request in the source.
    package let place: Place
  }

  package private(set) var nodes: [Node] = []
  package private(set) var edges: [Edge] = []

  /// - Parameter sources: Names and bytes of the app's sources.
  package init(files: [MobileRuntimeFile], sources: [(file: String, bytes: [UInt8])]) {
    for file in files { add(file) }
    var names: [String: [Int]] = [:]
    var interfaces: [String: Int] = [:]
    var owners: [String: [Int]] = [:]
    for (index, node) in nodes.enumerated() {
      if node.kind != .module { names[node.name, default: []].append(index) }
      owners[Self.bare(node.className), default: []].append(index)
    }
    for service in files.flatMap(\.services) {
      guard let interface = service.interface,
        let index = names[service.name]?.first(where: { nodes[$0].kind == .service })
      else { continue }
      interfaces[Self.bare(interface)] = index
    }
    for source in sources { connect(source, names, interfaces, owners) }
  }

  private mutating func add(_ file: MobileRuntimeFile) {
    nodes += file.applications.map {
      Node(
        kind: .application, name: $0.name, className: $0.delegate, place: $0.place, isLauncher: $0.name == file.launcher
      )
    }
    nodes += file.services.map {
      Node(kind: .service, name: $0.name, className: $0.className, place: $0.place, isLauncher: false)
    }
    nodes += file.modules.map {
      Node(kind: .module, name: $0.className, className: $0.className, place: $0.place, isLauncher: false)
    }
  }

  /// The class without the module that it is in.
  private static func bare(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }

  /// Gives each request of a source to the type that was declared last before it, and to that type's entries.
  private mutating func connect(
    _ source: (file: String, bytes: [UInt8]), _ names: [String: [Int]], _ interfaces: [String: Int],
    _ owners: [String: [Int]]
  ) {
    let types = DeclarationScanner.scan(source.bytes, file: source.file).sorted { $0.line < $1.line }
    var owned: [(line: Int, nodes: [Int])] = []
    for type in types {
      let found = owners[Self.bare(type.name)] ?? type.objectiveCName.flatMap { owners[$0] } ?? []
      // A type inside of an entry's class speaks for it.
      let isInside = type.name.contains(".") && found.isEmpty
      if !isInside { owned.append((type.line, found)) }
      for index in found where type.kind != .protocol { nodes[index].isKnown = true }
    }
    guard owned.contains(where: { !$0.nodes.isEmpty }) else { return }
    for call in ServiceCallScanner.calls(in: source.bytes) {
      let targets: [Int]
      switch call.subject {
      case .name(let name): targets = names[name] ?? []
      case .interface(let name): targets = interfaces[name].map { [$0] } ?? []
      }
      let place = Place.text(file: source.file, line: call.line, column: call.column)
      for from in owned.last(where: { $0.line <= call.line })?.nodes ?? [] {
        for to in targets where to != from || nodes[to].kind == .service {
          guard !edges.contains(where: { $0.from == from && $0.to == to }) else { continue }
          edges.append(Edge(from: from, to: to, place: place))
        }
      }
    }
  }
}

extension RuntimeGraph {
  /// Services that ask for each other in a circle, each circle once: a service that is made for another one waits for
  /// it.
  package var circles: [[Edge]] {
    var circles: [[Edge]] = []
    var seen: Set<Set<Int>> = []
    let services = edges.filter { nodes[$0.from].kind == .service && nodes[$0.to].kind == .service }
    let outgoing = Dictionary(grouping: services) { $0.from }
    for start in nodes.indices where nodes[start].kind == .service {
      guard let circle = Self.shortest(from: start, outgoing) else { continue }
      if seen.insert(Set(circle.map(\.from))).inserted { circles.append(circle) }
    }
    return circles
  }

  /// The shortest way from a node back to it.
  private static func shortest(from start: Int, _ outgoing: [Int: [Edge]]) -> [Edge]? {
    var reached: [Int: Edge] = [:]
    var waiting = [start]
    var at = 0
    while at < waiting.count {
      for edge in outgoing[waiting[at]] ?? [] {
        if edge.to == start {
          var way = [edge]
          while let first = way.first, first.from != start, let before = reached[first.from] {
            way.insert(before, at: 0)
          }
          return way
        }
        if reached[edge.to] == nil {
          reached[edge.to] = edge
          waiting.append(edge.to)
        }
      }
      at += 1
    }
    return nil
  }

  /// The graph in the language of Graphviz.
  package var dot: String {
    let shapes: [Kind: String] = [.application: "box", .service: "ellipse", .module: "component"]
    var lines = ["digraph runtime {", "  rankdir=LR;", "  node [fontname=\"Helvetica\"];"]
    for (index, node) in nodes.enumerated() {
      let style = node.isLauncher ? ", style=bold" : node.isKnown ? "" : ", style=dashed"
      let label = node.name == node.className ? node.name : node.name + "\n" + node.className
      lines.append("  n\(index) [label=\"\(Self.escaped(label))\", shape=\(shapes[node.kind] ?? "box")\(style)];")
    }
    let inCircle = Set(circles.joined().map { [$0.from, $0.to] })
    for edge in edges {
      let colour = inCircle.contains([edge.from, edge.to]) ? ", color=red" : ""
      lines.append("  n\(edge.from) -> n\(edge.to) [tooltip=\"\(Self.escaped("\(edge.place)"))\"\(colour)];")
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing(each: "\\", with: "\\\\").replacing(each: "\"", with: "\\\"").replacing(each: "\n", with: "\\n")
  }
}
