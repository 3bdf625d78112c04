extension SchemaCompiler {
  /// Marks the properties that lead back to their declaration without an array or a map between.
  ///
  /// Two declarations lead to each other where they are strongly connected (Tarjan's algorithm, without recursion, since
  /// a chain of types may be long).
  mutating func markIndirect() {
    let groups = connected()
    for index in declarations.indices {
      func leadsBack(_ type: ModelType) -> Bool {
        guard case .named(let next) = type.bare else { return false }
        return groups[next] == groups[declarations[index].name]
      }
      switch declarations[index].kind {
      case .object(var object):
        for place in object.properties.indices {
          object.properties[place].isIndirect = leadsBack(object.properties[place].type)
        }
        declarations[index].kind = .object(object)
      case .tuple(var tuple):
        for place in tuple.items.indices { tuple.items[place].isIndirect = leadsBack(tuple.items[place].type) }
        declarations[index].kind = .tuple(tuple)
      default: break
      }
    }
  }

  /// The number of the group of each declaration whose members hold each other.
  private func connected() -> [String: Int] {
    let indexes = Dictionary(declarations.enumerated().map { ($1.name, $0) }) { first, _ in first }
    let edges = declarations.map { declaration in
      declaration.held.compactMap { type -> Int? in
        if case .named(let name) = type.bare { indexes[name] } else { nil }
      }
    }
    let groups = StrongComponents(edges).groups
    return Dictionary(declarations.enumerated().map { ($1.name, groups[$0]) }) { first, _ in first }
  }
}

/// The groups of a graph's nodes that lead to each other.
struct StrongComponents {
  /// The number of the group of each node.
  private(set) var groups: [Int]
  private let edges: [[Int]]
  private var order: [Int]
  private var low: [Int]
  private var isOpen: [Bool]
  private var open: [Int] = []
  private var count = 0

  /// - Parameter edges: The nodes that each node leads to.
  init(_ edges: [[Int]]) {
    self.edges = edges
    groups = Array(repeating: -1, count: edges.count)
    order = Array(repeating: -1, count: edges.count)
    low = order
    isOpen = Array(repeating: false, count: edges.count)
    for node in edges.indices where order[node] < 0 { visit(node) }
  }

  private mutating func enter(_ node: Int) {
    order[node] = count
    low[node] = count
    count += 1
    open.append(node)
    isOpen[node] = true
  }

  private mutating func visit(_ start: Int) {
    var path: [(node: Int, next: Int)] = [(start, 0)]
    enter(start)
    while let top = path.last {
      if top.next < edges[top.node].count {
        path[path.count - 1].next += 1
        let child = edges[top.node][top.next]
        if order[child] < 0 {
          enter(child)
          path.append((child, 0))
        } else if isOpen[child] {
          low[top.node] = min(low[top.node], order[child])
        }
        continue
      }
      path.removeLast()
      if let parent = path.last { low[parent.node] = min(low[parent.node], low[top.node]) }
      if low[top.node] == order[top.node] { close(top.node) }
    }
  }

  private mutating func close(_ node: Int) {
    while let member = open.popLast() {
      isOpen[member] = false
      groups[member] = node
      if member == node { break }
    }
  }
}

extension ModelDeclaration {
  /// The types whose values are stored right in a value of this one.
  fileprivate var held: [ModelType] {
    switch kind {
    case .object(let object): object.properties.map(\.type)
    case .tuple(let tuple): tuple.items.map(\.type)
    case .value(let type): [type]
    // Cases with declared types are stored elsewhere.
    case .union, .enumeration: []
    }
  }
}
