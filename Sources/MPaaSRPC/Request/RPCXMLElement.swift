import MPaaSXML

/// An element of an answer in XML.
public struct RPCXMLElement: Sendable, Hashable {
  /// The name, with its prefix where it has one.
  public let name: String
  /// The attributes by their names.
  public let attributes: [String: String]
  /// The elements within, in their order.
  public let elements: [RPCXMLElement]
  /// The text within, without that of elements.
  public let text: String

  /// The first element within of a name; nil where there is none.
  public subscript(name: String) -> RPCXMLElement? { elements.first { $0.name == name } }

  init(_ element: XMLElement) {
    name = element.name
    attributes = Dictionary(element.attributes.map { ($0.name, $0.value) }) { $1 }
    elements = element.elements.map { RPCXMLElement($0) }
    let texts = element.children.map { if case .text(let text) = $0 { text.bytes } else { [UInt8]() } }
    text = String(decoding: texts.joined(), as: UTF8.self)
  }
}

extension RPCResponse {
  /// The root of the content as XML; a document type is refused.
  ///
  /// - Throws: `RPCError` `rpc-answer-malformed`, with the place of the fault.
  public func xml() throws(RPCError) -> RPCXMLElement {
    do throws(XMLError) {
      return RPCXMLElement(try XMLDocument.root(of: body))
    } catch {
      throw RPCError(
        .answerMalformed, ["reason": "line \(error.mark.line), column \(error.mark.column): \(error.reason)"])
    }
  }
}
