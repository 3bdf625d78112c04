/// The reason why an XPath cannot be read, with its place in characters.
package struct XPathError: Error, Sendable, Equatable {
  package let reason: String
  package let offset: Int
}

/// An expression of XPath 1.0, without variables and without `id()` and `lang()`.
///
/// - Source: XML Path Language (XPath) Version 1.0, W3C Recommendation of 16 November 1999.
package struct XPathExpression: Sendable {
  indirect enum Node: Sendable {
    case binary(String, Node, Node)
    case negative(Node)
    case literal(String)
    case number(Double)
    case call(String, [Node])
    /// From the root, from the nodes of another expression, or from the node at hand.
    case path(start: Start, [Step])
    case filter(Node, [Node])
  }

  enum Start: Sendable {
    case root
    case here
    case nodes(Node)
  }

  struct Step: Sendable {
    let axis: Axis
    let test: Test
    let predicates: [Node]
  }

  enum Axis: String, Sendable {
    case child, descendant, parent, ancestor, following, preceding, attribute, namespace, `self`
    case followingSibling = "following-sibling"
    case precedingSibling = "preceding-sibling"
    case descendantOrSelf = "descendant-or-self"
    case ancestorOrSelf = "ancestor-or-self"

    var isReverse: Bool {
      switch self {
      case .parent, .ancestor, .ancestorOrSelf, .preceding, .precedingSibling: true
      default: false
      }
    }
  }

  enum Test: Sendable {
    /// nil for any.
    case name(prefix: String?, local: String?)
    case text
    case node
    case never
  }

  /// The most bytes of an expression.
  package static let longest = 16 << 10

  package let text: String
  let root: Node

  package init(_ text: String) throws(XPathError) {
    guard text.utf8.count <= Self.longest else { throw XPathError(reason: "it is longer than 16 KiB", offset: 0) }
    var parser = XPathParser(try XPathLexer.tokens(of: text))
    root = try parser.whole()
    self.text = text
  }
}

/// The value of an expression.
package enum XPathValue: Sendable {
  /// Numbers of nodes, in the order of the document.
  case nodes([Int])
  case text(String)
  case number(Double)
  case bool(Bool)
}
