/// Reads the tokens of an expression from the first to the last.
struct XPathParser {
  private static let deepest = 64

  private let tokens: [XPathToken]
  private var place = 0
  private var depth = 0

  init(_ tokens: [XPathToken]) { self.tokens = tokens }

  private typealias Node = XPathExpression.Node

  private var next: XPathToken.Kind { tokens[min(place, tokens.count - 1)].kind }
  private var following: XPathToken.Kind { tokens[min(place + 1, tokens.count - 1)].kind }
  private func error(_ reason: String) -> XPathError {
    XPathError(reason: reason, offset: tokens[min(place, tokens.count - 1)].offset)
  }

  private mutating func take(_ sign: String) -> Bool {
    guard next == .sign(sign) else { return false }
    place += 1
    return true
  }

  private mutating func takeWord(_ word: String) -> Bool {
    guard next == .name(word) else { return false }
    place += 1
    return true
  }

  private mutating func require(_ sign: String) throws(XPathError) {
    guard take(sign) else { throw error("\(sign) is missing") }
  }

  mutating func whole() throws(XPathError) -> XPathExpression.Node {
    let node = try expression()
    guard next == .end else { throw error("something stands behind the end") }
    return node
  }

  private mutating func expression() throws(XPathError) -> Node {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw error("expressions lie too deep in each other") }
    return try binary(0)
  }

  // The levels of operators, the loosest first.
  private static let levels = [
    ["or"], ["and"], ["=", "!="], ["<=", ">=", "<", ">"], ["+", "-"], ["*", "div", "mod"],
  ]

  private mutating func binary(_ level: Int) throws(XPathError) -> Node {
    guard level < Self.levels.count else { return try unary() }
    var left = try binary(level + 1)
    while let sign = Self.levels[level].first(where: { next == .sign($0) || next == .name($0) }) {
      place += 1
      left = .binary(sign, left, try binary(level + 1))
    }
    return left
  }

  private mutating func unary() throws(XPathError) -> Node {
    var isNegative = false
    var isNumber = false
    while take("-") {
      isNegative.toggle()
      isNumber = true
    }
    var node = try path()
    while take("|") { node = .binary("|", node, try path()) }
    return isNegative ? .negative(node) : isNumber ? .negative(.negative(node)) : node
  }

  // MARK: Paths

  private mutating func path() throws(XPathError) -> Node {
    switch next {
    case .literal, .number, .sign("("): return try filtered()
    case .name(let name) where following == .sign("(") && !Self.nodeTests.contains(name): return try filtered()
    default: break
    }
    var steps: [XPathExpression.Step] = []
    var start = XPathExpression.Start.here
    if take("//") {
      start = .root
      steps.append(Self.anywhere)
    } else if take("/") {
      start = .root
      guard startsStep else { return .path(start: .root, []) }
    }
    try addSteps(to: &steps)
    return .path(start: start, steps)
  }

  private static let anywhere = XPathExpression.Step(axis: .descendantOrSelf, test: .node, predicates: [])
  private static let nodeTests: Set<String> = ["node", "text", "comment", "processing-instruction"]

  private var startsStep: Bool {
    switch next {
    case .name, .sign("@"), .sign("."), .sign(".."), .sign("*"): true
    default: false
    }
  }

  private mutating func addSteps(to steps: inout [XPathExpression.Step]) throws(XPathError) {
    repeat {
      if steps.count > 200 { throw error("it has more than 200 steps") }
      steps.append(try step())
      if take("//") {
        steps.append(Self.anywhere)
      } else if !take("/") {
        return
      }
    } while true
  }

  private mutating func filtered() throws(XPathError) -> Node {
    var node = try primary()
    let predicates = try predicates()
    if !predicates.isEmpty { node = .filter(node, predicates) }
    guard next == .sign("/") || next == .sign("//") else { return node }
    var steps: [XPathExpression.Step] = []
    if take("//") { steps.append(Self.anywhere) } else { _ = take("/") }
    try addSteps(to: &steps)
    return .path(start: .nodes(node), steps)
  }

  private mutating func primary() throws(XPathError) -> Node {
    switch next {
    case .literal(let text):
      place += 1
      return .literal(text)
    case .number(let value):
      place += 1
      return .number(value)
    case .name(let name):
      place += 1
      try require("(")
      var arguments: [Node] = []
      if !take(")") {
        repeat { arguments.append(try expression()) } while take(",")
        try require(")")
      }
      guard let range = XPathFunctions.arguments[name] else {
        place -= 1
        throw error("the function \(name) is unknown")
      }
      guard range.contains(arguments.count) else { throw error("\(name) has another number of arguments") }
      return .call(name, arguments)
    default:
      try require("(")
      let node = try expression()
      try require(")")
      return node
    }
  }

  private mutating func predicates() throws(XPathError) -> [Node] {
    var predicates: [Node] = []
    while take("[") {
      predicates.append(try expression())
      try require("]")
    }
    return predicates
  }

  private mutating func step() throws(XPathError) -> XPathExpression.Step {
    if take(".") { return XPathExpression.Step(axis: .self, test: .node, predicates: []) }
    if take("..") { return XPathExpression.Step(axis: .parent, test: .node, predicates: []) }
    var axis = XPathExpression.Axis.child
    if take("@") {
      axis = .attribute
    } else if case .name(let name) = next, following == .sign("::") {
      guard let known = XPathExpression.Axis(rawValue: name) else { throw error("the axis \(name) is unknown") }
      axis = known
      place += 2
    }
    let test = try test()
    return XPathExpression.Step(axis: axis, test: test, predicates: try predicates())
  }

  private mutating func test() throws(XPathError) -> XPathExpression.Test {
    if take("*") { return .name(prefix: nil, local: nil) }
    guard case .name(let name) = next else { throw error("a name is missing") }
    place += 1
    if Self.nodeTests.contains(name), take("(") {
      if case .literal = next { place += 1 }
      try require(")")
      return name == "node" ? .node : name == "text" ? .text : .never
    }
    guard let colon = name.firstIndex(of: ":") else { return .name(prefix: nil, local: name) }
    let local = String(name[name.index(after: colon)...])
    return .name(prefix: String(name[..<colon]), local: local == "*" ? nil : local)
  }
}
