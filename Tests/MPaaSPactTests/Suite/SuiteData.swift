import Foundation
import MPaaSJSON
import MPaaSPact
import MPaaSSupport
import MPaaSTestSupport
import MPaaSXML

/// The fixtures of the suite, as its tables name them.
enum SuiteData {
  static func file(_ name: String) throws -> [UInt8] {
    [UInt8](try Fixture.data("rpc/pact/compatibility/fixtures/\(name)"))
  }

  static func json(_ text: String) throws -> JSONNode { try PactJSON.read(Array(text.utf8), file: "table") }

  /// A body as a cell names it, and its type.
  static func body(_ cell: String) throws -> (bytes: [UInt8], type: String?)? {
    if cell.isEmpty { return nil }
    if cell == "EMPTY" { return ([], nil) }
    if cell.hasPrefix("JSON:") { return (Array(rest(cell).utf8), "application/json") }
    if cell.hasPrefix("XML:") { return (Array(rest(cell).utf8), "application/xml") }
    guard cell.hasPrefix("file:") else { return (Array(cell.utf8), nil) }
    let name = rest(cell)
    let bytes = try file(name)
    if name.hasSuffix("-body.xml") { return try wrapped(bytes) }
    let types = ["json": "application/json", "jpg": "image/jpeg", "pdf": "application/pdf", "xml": "application/xml"]
    return (bytes, types[String(name.split(separator: ".").last ?? "")])
  }

  private static func rest(_ cell: String) -> String {
    String(cell[cell.index(after: cell.firstIndex(of: ":") ?? cell.startIndex)...]).trimmingCharacters(in: .whitespaces)
  }

  /// The body that an element of XML describes.
  private static func wrapped(_ bytes: [UInt8]) throws -> (bytes: [UInt8], type: String?) {
    let root = try XMLDocument.root(of: bytes)
    func text(_ name: String) -> String {
      var bytes: [UInt8] = []
      for case .text(let text) in root.elements.first(where: { $0.name == name })?.children ?? [] {
        bytes += text.bytes
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    let contents = root.elements.first { $0.name == "contents" }
    var content = text("contents")
    if contents?["encoding"] == "base64" {
      return (Base64.decode(loose: Array(content.utf8)) ?? [], text("contentType"))
    }
    if contents?["eol"] == "CRLF" {
      content = content.trimmingCharacters(in: .newlines).replacing("\n", with: "\r\n") + "\r\n"
    }
    return (Array(content.utf8), text("contentType"))
  }

  /// Rules or generators: a file, or JSON.
  static func fragment(_ cell: String) throws -> JSONNode {
    if cell.hasPrefix("JSON:") { return try json(rest(cell)) }
    return try PactJSON.read(try file(cell), file: cell)
  }

  /// `'A: 1', 'B: 2'` as fields.
  static func headers(_ cell: String) -> [PactField] {
    var fields: [PactField] = []
    for match in cell.matches(of: /'([^':]+):\s*([^']*)'/) {
      let name = String(match.1)
      if let place = fields.firstIndex(where: { $0.name == name }) {
        fields[place].values.append(String(match.2))
      } else {
        fields.append(PactField(name, [String(match.2)]))
      }
    }
    return fields
  }

  /// A value of metadata: a text, or JSON.
  static func value(_ cell: String) throws -> JSONNode {
    cell.hasPrefix("JSON:") ? try json(rest(cell)) : JSONNode(.string(cell))
  }

  static func metadata(_ rows: [[String: String]]) throws -> [JSONNode.Member] {
    try rows.map { JSONNode.Member(name: $0["key"] ?? "", value: try value($0["value"] ?? "")) }
  }
}
