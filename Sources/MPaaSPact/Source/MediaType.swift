import MPaaSSupport

/// A media type with its parameters, such as `application/json; charset=UTF-8`.
package struct MediaType: Sendable, Hashable {
  /// `application/json`, in lower case.
  package let essence: String
  /// In their order; names in lower case, values without quotation marks.
  package let parameters: [Parameter]

  package struct Parameter: Sendable, Hashable {
    package let name: String
    package let value: String
  }

  /// Reads a type; nil where it has no slash.
  package init?(_ text: String) {
    let parts = Self.split(text, at: ";")
    essence = parts[0].trimmed.lowercased()
    guard essence.contains("/") else { return nil }
    parameters = parts.dropFirst().compactMap { part in
      guard let equal = part.firstIndex(of: "=") else { return nil }
      let value = part[part.index(after: equal)...].trimmed
      return Parameter(name: part[..<equal].trimmed.lowercased(), value: Self.unquoted(value))
    }
  }

  private init(plain essence: String) {
    self.essence = essence
    parameters = []
  }

  package static let json = MediaType(plain: "application/json")
  package static let xml = MediaType(plain: "application/xml")
  package static let text = MediaType(plain: "text/plain")
  package static let bytes = MediaType(plain: "application/octet-stream")

  package subscript(parameter: String) -> String? { parameters.first { $0.name == parameter }?.value }

  package var description: String {
    ([essence] + parameters.map { "\($0.name)=\($0.value)" }).joined(separator: ";")
  }

  // MARK: Families

  package var isJSON: Bool {
    essence.hasPrefix("application/") && essence.has("json") || essence == "text/json" || essence.hasSuffix("+json")
  }
  package var isXML: Bool { essence.hasSuffix("/xml") || essence.hasSuffix("+xml") || essence == "application/xhtml" }
  package var isForm: Bool { essence == "application/x-www-form-urlencoded" }
  package var isMultipart: Bool { essence.hasPrefix("multipart/") }
  /// JSON with five bytes in front that name its schema in a registry of Kafka.
  package var isSchemaRegistry: Bool { essence.hasPrefix("application/vnd.schemaregistry") && isJSON }

  /// Tells whether what has the type is text that people read.
  package var isText: Bool {
    essence.hasPrefix("text/") || isJSON || isXML || isForm || Self.textual.contains(essence)
  }

  private static let textual: Set = [
    "application/javascript", "application/graphql", "application/yaml", "application/x-yaml", "application/sql",
  ]

  // MARK: Bytes

  /// The type that bytes look like.
  package init(sniffing bytes: [UInt8]) {
    if let magic = Self.magic(bytes) {
      self.init(plain: magic)
      return
    }
    guard String(validUTF8: bytes) != nil else {
      self = .bytes
      return
    }
    var start = bytes[...].drop { $0 <= 0x20 }
    if start.starts(with: [0xef, 0xbb, 0xbf]) { start = start.dropFirst(3) }
    switch start.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): self = .json
    case UInt8(ascii: "<"):
      let begin = String(decoding: start.prefix(15), as: UTF8.self).lowercased()
      self = begin.hasPrefix("<!doctype html") || begin.hasPrefix("<html") ? MediaType(plain: "text/html") : .xml
    default: self = .text
    }
  }

  /// The type that the first bytes of a file show for certain.
  package static func magic(_ bytes: [UInt8]) -> String? {
    signatures.first { bytes.starts(with: $0.bytes) }?.type
  }

  private static let signatures: [(bytes: [UInt8], type: String)] = [
    ([0xff, 0xd8, 0xff], "image/jpeg"),
    (PNG.signature, "image/png"),
    (Array("GIF8".utf8), "image/gif"), (Array("%PDF-".utf8), "application/pdf"),
    ([0x50, 0x4b, 0x03, 0x04], "application/zip"), ([0x1f, 0x8b], "application/gzip"),
    ([0x28, 0xb5, 0x2f, 0xfd], "application/zstd"), (Array("BM".utf8), "image/bmp"),
    ([0x49, 0x49, 0x2a, 0x00], "image/tiff"), ([0x4d, 0x4d, 0x00, 0x2a], "image/tiff"),
    (Array("OggS".utf8), "audio/ogg"), (Array("ID3".utf8), "audio/mpeg"),
  ]

  // MARK: Pieces

  /// The parts of a text between separators that stand in no quotation marks.
  static func split(_ text: String, at separator: Character) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var isQuoted = false
    for index in text.indices {
      if text[index] == "\"" { isQuoted.toggle() }
      guard text[index] == separator, !isQuoted else { continue }
      parts.append(text[start..<index])
      start = text.index(after: index)
    }
    return parts + [text[start...]]
  }

  private static func unquoted(_ text: String) -> String {
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return String(text.dropFirst().dropLast())
  }
}

extension StringProtocol {
  /// The text without white space at both ends.
  var trimmed: String {
    let start = drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}
