import MPaaSJSON

extension TemplateHelpers {
  /// Helpers that read and change JSON and XML.
  static let documents: [String: Helper] = [
    "jsonPath": { arguments, _ in jsonPath(arguments) },
    "parseJson": { arguments, run in
      let isNamed = arguments.values.count > 1 || (arguments.block != nil && arguments.values.count == 1)
      let name = isNamed ? (arguments.block == nil ? arguments[1].text : arguments[0].text) : nil
      let source = arguments.block.map { run.captured($0.content) } ?? arguments[0].text
      guard let node = JSONNode.reading(Array(source.utf8)) else { return error("the text is no JSON") }
      guard let name else { return .json(node) }
      run.assigned[name] = .json(node)
      return .nothing
    },
    "toJson": { arguments, _ in .text(arguments[0].node.line) },
    "formatJson": { arguments, run in
      guard let node = json(arguments.subject(&run)) else { return error("the text is no JSON") }
      return .text(arguments.text("format") == "compact" ? node.line : node.indented)
    },
    "jsonMerge": { arguments, run in
      var merged: JSONNode?
      var sources = arguments.values
      if let block = arguments.block { sources.append(.text(run.captured(block.content))) }
      for source in sources {
        guard let node = json(source), node.members != nil else { return error("jsonMerge needs JSON objects") }
        merged = merged.map { merge($0, node, removesNulls: arguments.flag("removeNulls")) } ?? node
      }
      return .text(merged?.line ?? "{}")
    },
    "jsonRemove": { arguments, _ in
      guard let node = json(arguments[0]), let path = try? JSONPath(arguments[1].text) else {
        return error("jsonRemove needs JSON and a JSONPath")
      }
      return .text(removing(path.steps[...], from: node)?.line ?? "null")
    },
    "jsonArrayAdd": { arguments, run in jsonArrayAdd(arguments, &run) },
    "jsonSort": { arguments, _ in jsonSort(arguments) },
    "xPath": { arguments, _ in
      guard let tree = XMLTree(Array(arguments[0].text.utf8)) else { return error("the text is no XML") }
      guard let expression = try? XPathExpression(arguments[1].text) else {
        return error("\(arguments[1].text) is no XPath")
      }
      return xml(expression.value(in: tree), tree)
    },
    "soapXPath": { arguments, _ in
      guard let tree = XMLTree(Array(arguments[0].text.utf8)) else { return error("the text is no XML") }
      let path = "/Envelope/Body" + arguments[1].text
      guard let expression = try? XPathExpression(path) else { return error("\(path) is no XPath") }
      return xml(expression.value(in: tree), tree)
    },
    "formatXml": { arguments, run in
      guard let tree = XMLTree(Array(arguments.subject(&run).text.utf8)) else { return error("the text is no XML") }
      return .text(XMLLayout.text(of: tree, isCompact: arguments.text("format") == "compact"))
    },
  ]

  /// The JSON that a value is, or that its text reads as.
  static func json(_ value: TemplateValue) -> JSONNode? {
    switch value {
    case .text, .values: JSONNode.reading(Array(value.text.utf8))
    case .json(let node): node.string.map { JSONNode.reading(Array($0.utf8)) } ?? node
    default: value.node
    }
  }

  private static func jsonPath(_ arguments: TemplateArguments) -> TemplateValue {
    guard let node = json(arguments[0]) else { return error("\(arguments[0].text) is no JSON") }
    guard let path = try? JSONPath(arguments[1].text) else { return error("\(arguments[1].text) is no JSONPath") }
    if let found = path.result(in: node) { return .json(found) }
    if !path.isDefinite { return .json(.list([])) }
    return arguments.options["default"] ?? .nothing
  }

  private static func merge(_ one: JSONNode, _ other: JSONNode, removesNulls: Bool) -> JSONNode {
    guard one.members != nil, let members = other.members else { return other }
    return members.reduce(one) { node, member in
      if member.value.isNull, removesNulls { return node.setting(member.name, nil) }
      let merged = node[member.name].map { merge($0, member.value, removesNulls: removesNulls) } ?? member.value
      return node.setting(member.name, merged)
    }
  }

  /// The value without what a path leads to; nil where that is all of it.
  private static func removing(_ steps: ArraySlice<JSONPath.Step>, from node: JSONNode) -> JSONNode? {
    guard let step = steps.first else { return nil }
    let rest = steps.dropFirst()
    func changed(_ isChosen: (Int, String) -> Bool) -> JSONNode {
      if let elements = node.elements {
        return .list(
          elements.enumerated().compactMap { isChosen($0.offset, "") ? removing(rest, from: $0.element) : $0.element })
      }
      guard let members = node.members else { return node }
      return .members(
        members.map { ($0.name, isChosen(-1, $0.name) ? removing(rest, from: $0.value) : $0.value) })
    }
    switch step {
    case .names(let names): return node.elements == nil ? changed { names.contains($1) } : node
    case .indexes(let indexes):
      let count = node.elements?.count ?? 0
      return changed { index, _ in index >= 0 && indexes.contains { ($0 < 0 ? count + $0 : $0) == index } }
    case .all: return changed { _, _ in true }
    case .filter:
      let path = JSONPath(steps: [step], text: "")
      return changed { index, _ in
        guard index >= 0, let element = node.elements?[index] else { return false }
        return !path.values(in: .list([element])).isEmpty
      }
    default: return node
    }
  }

  private static func jsonArrayAdd(_ arguments: TemplateArguments, _ run: inout TemplateRun) -> TemplateValue {
    guard let node = json(arguments[0]) else { return error("jsonArrayAdd needs a JSON array") }
    let source =
      arguments.values.count > 1 ? arguments[1] : .text(arguments.block.map { run.captured($0.content) } ?? "")
    guard let item = json(source) else { return error("what is to be added is no JSON") }
    guard let path = arguments.text("jsonPath") else {
      return added(item, to: node, arguments).map { .text($0.line) } ?? error("jsonArrayAdd needs a JSON array")
    }
    guard let steps = (try? JSONPath(path))?.steps, let result = adding(item, at: steps[...], to: node, arguments)
    else {
      return error("\(path) leads to no array")
    }
    return .text(result.line)
  }

  private static func adding(
    _ item: JSONNode, at steps: ArraySlice<JSONPath.Step>, to node: JSONNode, _ arguments: TemplateArguments
  ) -> JSONNode? {
    guard let step = steps.first else { return added(item, to: node, arguments) }
    switch step {
    case .names(let names):
      guard let name = names.first, let value = node[name],
        let changed = adding(item, at: steps.dropFirst(), to: value, arguments)
      else { return nil }
      return node.setting(name, changed)
    case .indexes(let indexes):
      guard var elements = node.elements, let index = indexes.first, elements.indices.contains(index),
        let changed = adding(item, at: steps.dropFirst(), to: elements[index], arguments)
      else { return nil }
      elements[index] = changed
      return .list(elements)
    default: return nil
    }
  }

  private static func added(_ item: JSONNode, to node: JSONNode, _ arguments: TemplateArguments) -> JSONNode? {
    guard var elements = node.elements else { return nil }
    if arguments.flag("flatten"), let items = item.elements { elements += items } else { elements.append(item) }
    if let most = arguments.whole("maxItems"), most >= 0, elements.count > most {
      elements.removeFirst(elements.count - most)
    }
    return .list(elements)
  }

  private static func jsonSort(_ arguments: TemplateArguments) -> TemplateValue {
    guard let elements = json(arguments[0])?.elements else { return error("jsonSort needs a JSON array") }
    let text = arguments[1].text
    // `$[*].name` names what the elements are sorted by.
    let inner = text.hasPrefix("$[*]") ? "$" + text.dropFirst(4) : text
    guard let path = try? JSONPath(inner) else { return error("\(text) is no JSONPath") }
    let keys = elements.map { path.result(in: $0) }
    let order = elements.indices.sorted { one, other in
      guard let first = keys[one], let second = keys[other] else { return keys[one] != nil }
      if let left = first.number, let right = second.number { return left < right }
      return first.plainText < second.plainText
    }
    let isDescending = arguments.text("order")?.lowercased() == "desc"
    return .text(JSONNode.list((isDescending ? order.reversed() : order).map { elements[$0] }).line)
  }

  private static func xml(_ value: XPathValue, _ tree: XMLTree) -> TemplateValue {
    switch value {
    case .text(let text): .text(text)
    case .number(let number): .text(XPathFunctions.text(of: number))
    case .bool(let flag): .flag(flag)
    case .nodes(let nodes):
      switch nodes.count {
      case 0: .nothing
      case 1: .text(shown(nodes[0], tree))
      default: .values(nodes.map { shown($0, tree) })
      }
    }
  }

  private static func shown(_ node: Int, _ tree: XMLTree) -> String {
    tree.nodes[node].kind == .element || tree.nodes[node].kind == .root ? tree.source(of: node) : tree.text(of: node)
  }
}

/// A document in lines.
enum XMLLayout {
  static func text(of tree: XMLTree, isCompact: Bool) -> String {
    var text = ""
    add(tree.rootElement, of: tree, depth: 0, isCompact, to: &text)
    return text
  }

  private static func add(_ number: Int, of tree: XMLTree, depth: Int, _ isCompact: Bool, to text: inout String) {
    let node = tree.nodes[number]
    let indent = isCompact ? "" : String(repeating: "  ", count: depth)
    let end = isCompact ? "" : "\n"
    let children = node.children.filter {
      tree.nodes[$0].kind == .element || !tree.nodes[$0].value.allSatisfy(\.isWhitespace)
    }
    guard children.contains(where: { tree.nodes[$0].kind == .element }) else {
      text += indent + tree.source(of: number) + end
      return
    }
    let attributes = node.attributes.map { " \(tree.nodes[$0].name)=\"\(XMLTree.escaped(tree.nodes[$0].value))\"" }
    text += "\(indent)<\(node.name)\(tree.declaration(of: number))\(attributes.joined())>\(end)"
    for child in children {
      if tree.nodes[child].kind == .element {
        add(child, of: tree, depth: depth + 1, isCompact, to: &text)
      } else {
        text +=
          indent + (isCompact ? "" : "  ") + XMLTree.escaped(TemplateHelpers.trimmed(tree.nodes[child].value)) + end
      }
    }
    text += "\(indent)</\(node.name)>\(end)"
  }
}
