import MPaaSXML

/// Makes the statements of a method of its elements: names become numbers of slots, and faults come out with their
/// places.
struct DAOCompiler {
  private var expander: DAOExpander
  /// The slots of the names that are known where the compiler is, the innermost last.
  private var slots: [String: [Int]] = [:]
  private(set) var slotCount = 0
  /// The slots that something refers to.
  private(set) var used: Set<Int> = []
  /// The names that are no arguments, and the first place of each.
  private(set) var globals: [String: DAOPosition] = [:]
  private(set) var warnings: [DAOFinding] = []
  private var position = DAOPosition(1, 1)

  /// - Parameter allowance: The size that the statements may grow to.
  init(_ document: DAODocument, allowance: Int) { expander = DAOExpander(document, allowance: allowance) }

  /// The size that the statements have grown to.
  var size: Int { expander.size }

  /// Makes `name` known.
  ///
  /// - Returns: Its slot.
  mutating func declare(_ name: String) -> Int {
    defer { slotCount += 1 }
    slots[name, default: []].append(slotCount)
    return slotCount
  }

  /// Forgets the innermost meaning of `name`.
  mutating func forget(_ name: String) { _ = slots[name]?.popLast() }

  // MARK: Units

  /// The statements of a method or of an upgrade.
  mutating func units(of body: XMLElement) throws(DAOError) -> [DAOUnit] {
    position = body.position
    do {
      let children = try expander.expand(body.children)
      let elements = children.compactMap { if case .element(let element) = $0 { element } else { nil } }
      if elements.contains(where: { $0.name == "step" }) { return try steps(children, body) }
      if elements.contains(where: { $0.name == "try" }) { return try attempt(children, body) }
      return [DAOUnit(kind: .statement, nodes: try nodes(children), isResumable: false, position: body.position)]
    } catch {
      throw error.placed(at: position)
    }
  }

  private mutating func steps(_ children: [XMLElement.Child], _ body: XMLElement) throws(DAOError) -> [DAOUnit] {
    guard body.name != "select" else { throw DAOError(.step, ["reason": "a select has none"], at: body.position) }
    var units: [DAOUnit] = []
    for child in children {
      switch child {
      case .text(let text) where text.isBlank: continue
      case .text(let text): throw DAOError(.step, ["reason": "text stands beside it"], at: text.firstPosition)
      case .element(let element):
        guard element.name == "step" else {
          throw DAOError(.step, ["reason": "<\(element.name)> stands beside it"], at: element.position)
        }
        try checkAttributes(element, DAOElements.step)
        units.append(
          DAOUnit(
            kind: .step, nodes: try nodes(element.children), isResumable: DAOName.isYes(element["resumable"]),
            position: element.position))
      }
    }
    return units
  }

  private mutating func attempt(_ children: [XMLElement.Child], _ body: XMLElement) throws(DAOError) -> [DAOUnit] {
    var attempts: [XMLElement] = []
    for child in children {
      switch child {
      case .text(let text) where text.isBlank: continue
      case .element(let element) where element.name == "try": attempts.append(element)
      case .text(let text): throw DAOError(.tryBlock, ["reason": "text stands beside it"], at: text.firstPosition)
      case .element(let element):
        throw DAOError(.tryBlock, ["reason": "<\(element.name)> stands beside it"], at: element.position)
      }
    }
    guard let element = attempts.first, attempts.count == 1 else {
      throw DAOError(.tryBlock, ["reason": "there are several"], at: attempts.last?.position ?? body.position)
    }
    try checkAttributes(element, DAOElements.none)
    let isExcept: (XMLElement.Child) -> Bool = {
      if case .element(let child) = $0 { child.name == "except" } else { false }
    }
    let excepts = element.children.filter(isExcept)
    guard excepts.count == 1, case .element(let except)? = excepts.first else {
      let reason = excepts.isEmpty ? "it has no <except>" : "it has several <except>"
      throw DAOError(.tryBlock, ["reason": reason], at: element.position)
    }
    try checkAttributes(except, DAOElements.none)
    let tried = try nodes(element.children.filter { !isExcept($0) })
    return [
      DAOUnit(kind: .attempt, nodes: tried, isResumable: false, position: element.position),
      DAOUnit(kind: .except, nodes: try nodes(except.children), isResumable: false, position: except.position),
    ]
  }

  // MARK: Nodes

  mutating func nodes(_ children: [XMLElement.Child]) throws(DAOError) -> [DAONode] {
    var nodes: [DAONode] = []
    for child in children {
      switch child {
      case .text(let text): try append(text, to: &nodes)
      case .element(let element):
        position = element.position
        nodes.append(try node(element))
      }
    }
    return nodes
  }

  mutating func append(_ text: XMLText, to nodes: inout [DAONode]) throws(DAOError) {
    let written = try DAOReferenceParser.expandShortcuts(text) { size, position throws(DAOError) in
      try expander.grow(size, at: position)
    }
    for piece in try DAOReferenceParser.pieces(written) {
      switch piece {
      case .sql(let bytes): nodes.append(.sql(bytes))
      case .reference(let names, let isBound, let fallback, let isRaw, let position):
        let path = path(names, at: position)
        if isRaw { warnings.append(DAOFinding(.rawReference, .warning, at: position, ["name": path.text])) }
        nodes.append(
          .reference(
            DAOReference(
              path: path,
              rule: DAOReferenceRule(
                properties: path.properties, text: path.text, isBound: isBound, fallback: fallback, isRaw: isRaw,
                position: position))))
      }
    }
  }

  mutating func node(_ element: XMLElement) throws(DAOError) -> DAONode {
    switch element.name {
    case "if": return .condition(try condition(element), try nodes(element.children))
    case "choose": return try choose(element)
    case "foreach": return try foreach(element)
    case "trim", "where", "set": return try trim(element)
    case "format": return try format(element)
    case "step":
      throw DAOError(.step, ["reason": "it stands inside of <step> or another element"], at: element.position)
    case "try", "except":
      let reason = element.name == "try" ? "it is not alone in a method" : "it is not in a <try>"
      throw DAOError(.tryBlock, ["reason": reason], at: element.position)
    default: throw DAOError(.unknownElement, ["name": element.name, "parent": ""], at: element.position)
    }
  }

  mutating func condition(_ element: XMLElement) throws(DAOError) -> DAOCondition {
    try checkAttributes(element, DAOElements.condition)
    guard element.attributes.count == 1, let (name, text) = element.attributes.first else {
      throw DAOError(.missingAttribute, ["name": "true", "element": element.name], at: element.position)
    }
    let isMisprint = name == "flase"
    if isMisprint { warnings.append(DAOFinding(.misprint, .warning, at: element.position, ["name": name])) }
    return DAOCondition(
      expression: try expression(text, at: element.position), wanted: name == "true", position: element.position)
  }

  mutating func expression(_ text: String, at position: DAOPosition) throws(DAOError) -> DAOExpression {
    try DAOExpressionParser.expression(text).mapPaths { path($0.names, at: position) }
  }

  /// The slot of a name, or a global one.
  mutating func path(_ names: [String], at position: DAOPosition) -> DAOPath {
    let root: DAOPath.Root
    if let slot = slots[names[0]]?.last {
      used.insert(slot)
      root = .slot(slot)
    } else {
      if globals[names[0]] == nil { globals[names[0]] = position }
      root = .global(names[0])
    }
    return DAOPath(root: root, properties: Array(names.dropFirst()), text: names.joined(separator: "."))
  }

  func checkAttributes(_ element: XMLElement, _ known: Set<String>) throws(DAOError) {
    for (name, _) in element.attributes where !known.contains(name) {
      throw DAOError(.unknownAttribute, ["name": name, "element": element.name], at: element.position)
    }
  }
}

extension XMLText {
  /// The place of the first byte that is no white space.
  var firstPosition: DAOPosition { position(at: bytes.firstIndex { $0 > 0x20 } ?? 0) }
}

extension DAOPath {
  fileprivate var names: [String] {
    switch root {
    case .slot: [text] + properties
    case .global(let name): [name] + properties
    }
  }
}

extension DAOExpression {
  /// The expression with each path replaced.
  func mapPaths(_ replace: (DAOPath) -> DAOPath) -> DAOExpression {
    switch self {
    case .literal: self
    case .path(let path): .path(replace(path))
    case .not(let operand): .not(operand.mapPaths(replace))
    case .negative(let operand): .negative(operand.mapPaths(replace))
    case .positive(let operand): .positive(operand.mapPaths(replace))
    case .binary(let sign, let left, let right): .binary(sign, left.mapPaths(replace), right.mapPaths(replace))
    }
  }
}
