package import MPaaSJSON

/// A JSON document that another must be equal to, with placeholders for what may be anything.
package struct JSONEquality: Sendable {
  package let expected: JSONNode
  /// The text where it was written as one.
  let text: String?
  package let ignoresArrayOrder: Bool
  package let ignoresExtraElements: Bool
  private let hasArrayOrder: Bool
  private let hasExtraElements: Bool

  package init(_ expected: JSONNode, ignoresArrayOrder: Bool = false, ignoresExtraElements: Bool = false) {
    self.expected = expected
    text = nil
    self.ignoresArrayOrder = ignoresArrayOrder
    self.ignoresExtraElements = ignoresExtraElements
    (hasArrayOrder, hasExtraElements) = (ignoresArrayOrder, ignoresExtraElements)
  }

  init(_ value: StubReader, _ reader: StubReader) throws(StubProblem) {
    if let given = value.node.string {
      let source: JSONSource
      do throws(JSONSyntaxError) {
        source = try JSONSource(parsing: Array(given.utf8), file: "", depth: JSONNode.greatestDepth)
      } catch {
        let place = "line \(error.position.line), column \(error.position.column)"
        throw value.problem("is no JSON: \(error.code.rawValue) at \(place)")
      }
      (expected, text) = (source.root, given)
    } else {
      (expected, text) = (value.node, nil)
    }
    hasArrayOrder = reader["ignoreArrayOrder"] != nil
    hasExtraElements = reader["ignoreExtraElements"] != nil
    ignoresArrayOrder = try reader.flag("ignoreArrayOrder") ?? false
    ignoresExtraElements = try reader.flag("ignoreExtraElements") ?? false
  }

  var document: JSONNode {
    .members([
      ("equalToJson", text.map { .text($0) } ?? expected),
      ("ignoreArrayOrder", hasArrayOrder ? .flag(ignoresArrayOrder) : nil),
      ("ignoreExtraElements", hasExtraElements ? .flag(ignoresExtraElements) : nil),
    ])
  }
}
