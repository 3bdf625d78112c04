import MPaaSJSON
import MPaaSSupport

extension PactBody {
  /// Reads a body: JSON as it stands, or since version 4 an object that tells how its content is written.
  init(_ node: JSONNode?, _ headers: [PactField], _ version: PactSpecification, in file: PactSource) throws(PactError) {
    self.init()
    guard let node else { return }
    if version >= .v4, node["content"] != nil || node["contentType"] != nil {
      try self.init(wrapped: node, headers, in: file)
    } else {
      content = Self.content(node, type: headers.header("content-type")?.first.flatMap { MediaType($0) })
      if content == .null || content == .empty { return }
      if node.string == nil, headers.header("content-type") == nil { contentType = .json }
    }
  }

  private init(wrapped node: JSONNode, _ headers: [PactField], in file: PactSource) throws(PactError) {
    self.init()
    contentType = node["contentType"]?.string.flatMap { MediaType($0) }
    isText = node["contentTypeHint"]?.string.map { $0.uppercased() == "TEXT" }
    let inner = node["content"] ?? JSONNode(.null)
    let encoding = node["encoded"]?.string?.lowercased() ?? (node["encoded"]?.bool == true ? "base64" : "")
    let type = headers.header("content-type")?.first.flatMap { MediaType($0) } ?? contentType
    switch (inner.string, encoding) {
    case (let text?, "base64"):
      guard let bytes = Base64.decode(loose: Array(text.utf8)) else { throw file.wrong("content", in: inner) }
      content = bytes.isEmpty ? .empty : .bytes(bytes)
    case (let text?, _): content = Self.content(text: text, type: encoding == "json" ? nil : type)
    default: content = inner.content == .null ? .null : .bytes(Array(inner.line.utf8))
    }
  }

  private static func content(_ node: JSONNode, type: MediaType?) -> Content {
    if node.content == .null { return .null }
    guard let text = node.string else { return .bytes(Array(node.line.utf8)) }
    if let type, !type.isText, !type.isMultipart, let bytes = Base64.decode(Array(text.utf8)), !bytes.isEmpty {
      return .bytes(bytes)
    }
    return content(text: text, type: type)
  }

  /// A text; where the type is JSON and the text is none, it is a JSON string itself.
  private static func content(text: String, type: MediaType?) -> Content {
    if text.isEmpty { return .empty }
    if let type, type.isJSON, !type.isSchemaRegistry, PactJSON.body(Array(text.utf8)) == nil {
      return .bytes(Array(JSONNode.text(text).line.utf8))
    }
    return .bytes(Array(text.utf8))
  }
}
