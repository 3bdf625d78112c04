import CExpat

/// Reads an XML document into elements by expat.
///
/// A document type is refused or passed over, and every entity but those of XML itself is refused, so that no text can grow
/// by itself or come from elsewhere.
package enum XMLDocument {
  /// The most bytes of a document; the reason `too-large` names them.
  package static let greatestSize = 8 << 20
  /// The most elements that lie in each other.
  package static let greatestDepth = 64

  /// Reads the root element.
  ///
  /// - Parameter ignoringDocumentType: Whether a document type is passed over and not refused. It is not fetched, and one
  ///   that declares entities is refused.
  /// - Throws: The first reason why the bytes are no document, with its place.
  package static func root(
    of bytes: [UInt8], ignoringDocumentType: Bool = false
  ) throws(XMLError) -> XMLElement {
    guard bytes.count <= greatestSize else { throw XMLError("too-large", "the document is larger than 8 MiB") }
    guard let parser = XML_ParserCreate(nil) else { throw XMLError("no-memory", "out of memory") }
    defer { XML_ParserFree(parser) }
    let tree = XMLTree(parser)
    XML_SetUserData(parser, Unmanaged.passUnretained(tree).toOpaque())
    setHandlers(parser, ignoringDocumentType: ignoringDocumentType)
    let status = withExtendedLifetime(tree) {
      bytes.withUnsafeBytes {
        XML_Parse(parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count), 1)
      }
    }
    if let refusal = tree.refusal { throw refusal }
    guard status == XML_STATUS_OK, let root = tree.root else {
      let code = XML_GetErrorCode(parser)
      let reason = XML_ErrorString(code).map { String(cString: $0) } ?? "no element found"
      throw XMLError("xml-\(code.rawValue)", reason, at: tree.mark)
    }
    return root
  }

  private static func setHandlers(_ parser: XML_Parser, ignoringDocumentType: Bool) {
    XML_SetElementHandler(
      parser,
      { data, name, attributes in XMLTree.of(data)?.start(name, attributes) },
      { data, _ in XMLTree.of(data)?.end() })
    XML_SetCharacterDataHandler(parser) { data, text, count in XMLTree.of(data)?.text(text, Int(count)) }
    if ignoringDocumentType {
      XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
        XMLTree.of(data)?.refuse("document-type", "entities of a document type are not taken here")
      }
    } else {
      XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
        XMLTree.of(data)?.refuse("document-type", "a document type is not taken here")
      }
    }
  }
}

/// The elements that are open, and the root once it is closed.
private final class XMLTree {
  private let parser: XML_Parser
  private var open: [XMLElement] = []
  private(set) var root: XMLElement?
  private(set) var refusal: XMLError?

  init(_ parser: XML_Parser) { self.parser = parser }

  static func of(_ data: UnsafeMutableRawPointer?) -> XMLTree? {
    data.map { Unmanaged<XMLTree>.fromOpaque($0).takeUnretainedValue() }
  }

  var mark: XMLMark {
    XMLMark(Int(XML_GetCurrentLineNumber(parser)), Int(XML_GetCurrentColumnNumber(parser)) + 1)
  }

  func refuse(_ cause: String, _ reason: String, _ values: [String: String] = [:]) {
    if refusal == nil { refusal = XMLError(cause, reason, values, at: mark) }
    XML_StopParser(parser, XML_Bool(XML_FALSE))
  }

  func start(_ name: UnsafePointer<XML_Char>?, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
    guard let name, open.count < XMLDocument.greatestDepth else {
      let limit = "\(XMLDocument.greatestDepth)"
      return refuse("too-deep", "elements lie more than \(limit) deep in each other", ["limit": limit])
    }
    var pairs: [(name: String, value: String)] = []
    var place = attributes
    while let at = place, let key = at[0], let value = at[1] {
      pairs.append((String(cString: key), String(cString: value)))
      place = at + 2
    }
    open.append(XMLElement(name: String(cString: name), attributes: pairs, mark: mark))
  }

  func end() {
    guard let element = open.popLast() else { return }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(.element(element))
    }
  }

  func text(_ bytes: UnsafePointer<XML_Char>?, _ count: Int) {
    guard let bytes, !open.isEmpty else { return }
    let part = UnsafeRawBufferPointer(start: bytes, count: count)
    let last = open.count - 1
    if case .text(var text)? = open[last].children.last {
      open[last].children.removeLast()
      text.append(part, at: mark)
      open[last].children.append(.text(text))
    } else {
      var text = XMLText()
      text.append(part, at: mark)
      open[last].children.append(.text(text))
    }
  }
}
