import MPaaSSupport
import MPaaSXML

/// A document as a list of nodes in its order, in which paths can be followed up as well as down.
package struct XMLTree: Sendable {
  package enum Kind: Sendable { case root, element, attribute, text }

  package struct Node: Sendable {
    package let kind: Kind
    package let parent: Int
    /// As it is written: `t:thing`.
    package var name = ""
    package var local: String { name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name }
    package var prefix: String { name.firstIndex(of: ":").map { String(name[..<$0]) } ?? "" }
    package var namespace = ""
    /// Of attributes and texts.
    package var value = ""
    package var children: [Int] = []
    package var attributes: [Int] = []
    /// The place among the children of its parent.
    package var index = 0
    /// The number behind that of its last descendant.
    package var end = 0
  }

  package private(set) var nodes: [Node] = []

  /// Reads a document; nil where it is none.
  package init?(_ bytes: [UInt8]) {
    guard let root = try? XMLDocument.root(of: bytes, ignoringDocumentType: true) else { return nil }
    nodes.append(Node(kind: .root, parent: -1))
    add(root, to: 0, ["xml": "http://www.w3.org/XML/1998/namespace"])
    nodes[0].end = nodes.count
  }

  package var rootElement: Int { nodes[0].children.first ?? 0 }

  private mutating func append(_ node: Node, asAttribute: Bool = false) -> Int {
    var node = node
    let number = nodes.count
    node.end = number + 1
    if asAttribute {
      nodes[node.parent].attributes.append(number)
    } else {
      node.index = nodes[node.parent].children.count
      nodes[node.parent].children.append(number)
    }
    nodes.append(node)
    return number
  }

  // The reader has no elements deeper than 64.
  private mutating func add(_ element: MPaaSXML.XMLElement, to parent: Int, _ outer: [String: String]) {
    var spaces = outer
    for (name, value) in element.attributes {
      if name == "xmlns" {
        spaces[""] = value
      } else if name.hasPrefix("xmlns:") {
        spaces[String(name.dropFirst(6))] = value
      }
    }
    var node = Node(kind: .element, parent: parent)
    node.name = element.name
    node.namespace = spaces[node.prefix] ?? ""
    let number = append(node)
    for (name, value) in element.attributes where name != "xmlns" && !name.hasPrefix("xmlns:") {
      var attribute = Node(kind: .attribute, parent: number)
      attribute.name = name
      attribute.value = value
      attribute.namespace = attribute.prefix.isEmpty ? "" : spaces[attribute.prefix] ?? ""
      _ = append(attribute, asAttribute: true)
    }
    for child in element.children {
      switch child {
      case .element(let child): add(child, to: number, spaces)
      case .text(let text):
        var node = Node(kind: .text, parent: number)
        node.value = String(decoding: text.bytes, as: UTF8.self)
        _ = append(node)
      }
    }
    nodes[number].end = nodes.count
  }

  /// The text of a node, with that of all below it.
  package func text(of number: Int) -> String {
    let node = nodes[number]
    switch node.kind {
    case .attribute, .text: return node.value
    case .root, .element:
      var text = ""
      for below in nodes[number..<node.end] where below.kind == .text { text += below.value }
      return text
    }
  }

  /// The node as XML.
  package func source(of number: Int) -> String {
    let node = nodes[number]
    switch node.kind {
    case .attribute: return node.value
    case .text: return Self.escaped(node.value)
    case .root: return node.children.map { source(of: $0) }.joined()
    case .element:
      let attributes = node.attributes.map { " \(nodes[$0].name)=\"\(Self.escaped(nodes[$0].value))\"" }.joined()
      let declaration = declaration(of: number)
      guard !node.children.isEmpty else { return "<\(node.name)\(declaration)\(attributes)/>" }
      let inside = node.children.map { source(of: $0) }.joined()
      return "<\(node.name)\(declaration)\(attributes)>\(inside)</\(node.name)>"
    }
  }

  /// The declaration of a namespace that the element above does not have.
  func declaration(of number: Int) -> String {
    let node = nodes[number]
    let above = nodes[node.parent]
    guard !node.namespace.isEmpty,
      above.kind == .root || above.namespace != node.namespace || above.prefix != node.prefix
    else { return "" }
    return " xmlns\(node.prefix.isEmpty ? "" : ":" + node.prefix)=\"\(Self.escaped(node.namespace))\""
  }

  static func escaped(_ text: String) -> String { text.escapedMarkup(.quoted) }
}
