/// The evaluation of an expression over a document, within a number of steps.
struct XPathRun {
  let tree: XMLTree
  let namespaces: [String: String]
  private(set) var budget = 2_000_000

  init(_ tree: XMLTree, namespaces: [String: String]) {
    self.tree = tree
    self.namespaces = namespaces
  }

  /// A node with its place among others.
  struct Place {
    var node: Int
    var position = 1
    var size = 1
  }

  mutating func value(_ node: XPathExpression.Node, _ place: Place) -> XPathValue {
    budget -= 1
    guard budget > 0 else { return .nodes([]) }
    switch node {
    case .literal(let text): return .text(text)
    case .number(let number): return .number(number)
    case .negative(let node): return .number(-number(value(node, place)))
    case .call(let name, let arguments):
      let values = arguments.map { value($0, place) }
      return XPathFunctions.call(name, values, place, self)
    case .binary(let sign, let left, let right): return binary(sign, left, right, place)
    case .filter(let node, let predicates):
      guard case .nodes(let nodes) = value(node, place) else { return .nodes([]) }
      return .nodes(filtered(nodes, by: predicates))
    case .path(let start, let steps):
      var nodes: [Int]
      switch start {
      case .root: nodes = [0]
      case .here: nodes = [place.node]
      case .nodes(let node):
        guard case .nodes(let found) = value(node, place) else { return .nodes([]) }
        nodes = found
      }
      for step in steps { nodes = follow(step, from: nodes) }
      return .nodes(nodes)
    }
  }

  private mutating func binary(
    _ sign: String, _ left: XPathExpression.Node, _ right: XPathExpression.Node, _ place: Place
  ) -> XPathValue {
    let one = value(left, place)
    switch sign {
    case "or": return .bool(bool(one) || bool(value(right, place)))
    case "and": return .bool(bool(one) && bool(value(right, place)))
    default: break
    }
    let other = value(right, place)
    switch sign {
    case "|":
      guard case .nodes(let first) = one, case .nodes(let second) = other else { return .nodes([]) }
      return .nodes(Set(first + second).sorted())
    case "=", "!=", "<", "<=", ">", ">=": return .bool(compares(one, sign, other))
    case "+": return .number(number(one) + number(other))
    case "-": return .number(number(one) - number(other))
    case "*": return .number(number(one) * number(other))
    case "div": return .number(number(one) / number(other))
    default: return .number(number(one).truncatingRemainder(dividingBy: number(other)))
    }
  }

  // MARK: Steps

  private mutating func follow(_ step: XPathExpression.Step, from nodes: [Int]) -> [Int] {
    var found: [Int] = []
    for node in nodes {
      guard budget > 0 else { return [] }
      let along = nodesAlong(step.axis, from: node).filter { fits(step.test, $0, step.axis) }
      budget -= along.count
      found += filtered(along, by: step.predicates)
    }
    // Several starts, or an axis that goes back, give them in another order or twice.
    return nodes.count > 1 || step.axis.isReverse ? Set(found).sorted() : found
  }

  private mutating func filtered(_ nodes: [Int], by predicates: [XPathExpression.Node]) -> [Int] {
    var nodes = nodes
    for predicate in predicates {
      var kept: [Int] = []
      for (index, node) in nodes.enumerated() {
        guard budget > 0 else { return [] }
        let place = Place(node: node, position: index + 1, size: nodes.count)
        let result = value(predicate, place)
        let isGood: Bool = if case .number(let number) = result { number == Double(index + 1) } else { bool(result) }
        if isGood { kept.append(node) }
      }
      nodes = kept
    }
    return nodes
  }

  private mutating func nodesAlong(_ axis: XPathExpression.Axis, from number: Int) -> [Int] {
    let node = tree.nodes[number]
    let siblings = node.parent >= 0 && node.kind != .attribute ? tree.nodes[node.parent].children : []
    let nodes: [Int]
    switch axis {
    case .child: nodes = node.children
    case .descendant: nodes = below(number, end: node.end, start: number + 1)
    case .descendantOrSelf: nodes = [number] + below(number, end: node.end, start: number + 1)
    case .parent: nodes = node.parent >= 0 ? [node.parent] : []
    case .ancestor: nodes = above(number)
    case .ancestorOrSelf: nodes = [number] + above(number)
    case .self: nodes = [number]
    case .attribute: nodes = node.attributes
    case .namespace: nodes = []
    case .followingSibling: nodes = Array(siblings.dropFirst(node.index + 1))
    case .precedingSibling: nodes = siblings.prefix(node.index).reversed()
    case .following: nodes = below(number, end: tree.nodes.count, start: node.end)
    case .preceding:
      let ancestors = Set(above(number))
      nodes = below(number, end: number, start: 1).filter { !ancestors.contains($0) }.reversed()
    }
    budget -= nodes.count
    return nodes
  }

  private func below(_ number: Int, end: Int, start: Int) -> [Int] {
    guard start < end else { return [] }
    return (start..<end).filter { tree.nodes[$0].kind != .attribute }
  }

  private func above(_ number: Int) -> [Int] {
    var nodes: [Int] = []
    var node = tree.nodes[number].parent
    while node >= 0 {
      nodes.append(node)
      node = tree.nodes[node].parent
    }
    return nodes
  }

  private func fits(_ test: XPathExpression.Test, _ number: Int, _ axis: XPathExpression.Axis) -> Bool {
    let node = tree.nodes[number]
    switch test {
    case .node: return true
    case .never: return false
    case .text: return node.kind == .text
    case .name(let prefix, let local):
      guard node.kind == (axis == .attribute ? .attribute : .element) else { return false }
      guard local == nil || node.local == local else { return false }
      guard let prefix else { return true }
      // A prefix that is not declared stands for itself.
      return namespaces[prefix].map { $0 == node.namespace } ?? (node.prefix == prefix)
    }
  }

  // MARK: Values

  func text(_ value: XPathValue) -> String {
    switch value {
    case .nodes(let nodes): nodes.first.map { tree.text(of: $0) } ?? ""
    case .text(let text): text
    case .number(let number): XPathFunctions.text(of: number)
    case .bool(let flag): flag ? "true" : "false"
    }
  }

  func number(_ value: XPathValue) -> Double {
    switch value {
    case .number(let number): number
    case .bool(let flag): flag ? 1 : 0
    case .nodes, .text: XPathFunctions.number(of: text(value))
    }
  }

  func bool(_ value: XPathValue) -> Bool {
    switch value {
    case .nodes(let nodes): !nodes.isEmpty
    case .text(let text): !text.isEmpty
    case .number(let number): number != 0 && !number.isNaN
    case .bool(let flag): flag
    }
  }

  private mutating func compares(_ left: XPathValue, _ sign: String, _ right: XPathValue) -> Bool {
    if case .nodes(let nodes) = left {
      if case .bool = right { return simple(.bool(!nodes.isEmpty), sign, right) }
      for node in nodes {
        budget -= 1
        guard budget > 0 else { return false }
        if compares(.text(tree.text(of: node)), sign, right) { return true }
      }
      return false
    }
    if case .nodes(let nodes) = right {
      if case .bool = left { return simple(left, sign, .bool(!nodes.isEmpty)) }
      for node in nodes {
        budget -= 1
        guard budget > 0 else { return false }
        if simple(left, sign, .text(tree.text(of: node))) { return true }
      }
      return false
    }
    return simple(left, sign, right)
  }

  private func simple(_ left: XPathValue, _ sign: String, _ right: XPathValue) -> Bool {
    switch sign {
    case "=", "!=":
      let isEqual: Bool
      switch (left, right) {
      case (.bool, _), (_, .bool): isEqual = bool(left) == bool(right)
      case (.number, _), (_, .number): isEqual = number(left) == number(right)
      default: isEqual = text(left) == text(right)
      }
      return isEqual == (sign == "=")
    case "<": return number(left) < number(right)
    case "<=": return number(left) <= number(right)
    case ">": return number(left) > number(right)
    default: return number(left) >= number(right)
    }
  }
}

extension XPathExpression {
  /// Evaluates the expression over a document.
  package func value(in tree: XMLTree, namespaces: [String: String] = [:]) -> XPathValue {
    var run = XPathRun(tree, namespaces: namespaces)
    return run.value(root, XPathRun.Place(node: 0))
  }
}
