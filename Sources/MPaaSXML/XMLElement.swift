/// An element of a document, with its place.
package struct XMLElement: Sendable {
  package enum Child: Sendable {
    case element(XMLElement)
    case text(XMLText)
  }

  package let name: String
  /// In the order of the document; the reader refuses a name that comes twice.
  package let attributes: [(name: String, value: String)]
  package var children: [Child] = []
  package let mark: XMLMark

  package init(name: String, attributes: [(name: String, value: String)], mark: XMLMark) {
    self.name = name
    self.attributes = attributes
    self.mark = mark
  }

  package subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

  package var elements: [XMLElement] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// The first text that is more than white space.
  package var firstText: XMLText? {
    children.lazy.compactMap { if case .text(let text) = $0, !text.isBlank { text } else { nil } }.first
  }
}
