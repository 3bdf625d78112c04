import MPaaSJSON

/// An XPath expression that must find something in a document.
package struct XPathPattern: Sendable {
  package let expression: XPathExpression
  package let namespaces: [String: String]
  /// The pattern that what it finds must be as; nil where finding is enough.
  package let sub: ContentPattern?

  init(_ value: StubReader, _ reader: StubReader) throws(StubProblem) {
    let isObject = value.node.members != nil
    guard let text = isObject ? value["expression"] : value else { throw value.problem("has no expression") }
    let source = try text.string()
    do throws(XPathError) { expression = try XPathExpression(source) } catch {
      throw text.problem("is no XPath: \(error.reason), at character \(error.offset + 1)")
    }
    sub = isObject ? try ContentPattern.sub(value) : nil
    var namespaces: [String: String] = [:]
    if let given = reader["xPathNamespaces"] {
      for member in try given.object() {
        let pointer = StubReader.pointer(given.pointer, member.name)
        namespaces[member.name] = try StubReader(member.value, pointer: pointer).string()
      }
    }
    self.namespaces = namespaces
  }

  var document: JSONNode {
    .members([
      ("matchesXPath", ContentPattern.document(expression: expression.text, sub)),
      (
        "xPathNamespaces",
        namespaces.isEmpty
          ? nil : .members(namespaces.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) })
      ),
    ])
  }
}
