package import MPaaSJSON
import MPaaSSupport

/// Masks secrets in values, texts and whole entries by rules.
///
/// Masking twice changes nothing more, and the same secret has the same mask.
package struct Masker: Sendable {
  package let rules: MaskRules
  private let headers: NameSet
  private let names: NameSet
  private let paths: [[Substring]]

  package init(_ rules: MaskRules = .usual) {
    self.rules = rules
    headers = NameSet(rules.headers)
    names = NameSet(rules.names)
    paths = rules.paths.map { $0.split(separator: ".") }
  }

  /// The mask, or nothing where there was nothing.
  private func mask(_ value: String) -> String { value.isEmpty ? "" : rules.mask }

  // MARK: Texts

  /// A text of any kind: cards, tokens, and secret parameters of URLs in it.
  package func text(_ text: String) -> String {
    var result = text
    let bytes = Array(text.utf8)
    if bytes.contains(UInt8(ascii: "=")) || bytes.contains(UInt8(ascii: "@")) {
      var ranges = ParameterText.values(in: bytes, isForm: false, names)
      if !rules.names.isEmpty { ranges += ParameterText.userPasswords(in: bytes) }
      result = SecretScan.replaced(bytes, ranges, rules.mask) ?? text
    }
    return SecretScan.masked(result, cards: rules.masksCards, tokens: rules.masksTokens, mask: rules.mask)
  }

  /// The value of a header.
  package func header(_ name: String, _ value: String) -> String {
    headers.contains(name) ? mask(value) : text(value)
  }

  /// The value of a parameter.
  package func parameter(_ name: String, _ value: String) -> String {
    names.contains(name) ? mask(value) : text(value)
  }

  // MARK: JSON

  /// A value of JSON: members by name and place, texts by what stands in them.
  package func json(_ node: JSONNode) -> JSONNode { json(node, at: [], depth: 0) }

  private func json(_ node: JSONNode, at place: [Substring], depth: Int) -> JSONNode {
    guard depth < HARFile.depth else { return JSONNode(text: rules.mask) }
    if !paths.isEmpty, paths.contains(where: { Self.fits($0, place) }) { return masked(node) }
    switch node.content {
    case .null, .bool: return node
    case .number(let number):
      guard rules.masksCards, number.isWhole else { return node }
      let digits = Array(number.text.utf8)
      return SecretScan.cardNumbers(in: digits).isEmpty ? node : JSONNode(.string(rules.mask), at: node.position)
    case .string(let value): return JSONNode(.string(text(value)), at: node.position)
    case .array(let elements):
      let values = elements.enumerated().map { index, element in
        json(element, at: paths.isEmpty ? [] : place + [Substring(String(index))], depth: depth + 1)
      }
      return JSONNode(.array(values), at: node.position)
    case .object(let members):
      let values = members.map { member in
        JSONNode.Member(
          name: member.name,
          value: names.contains(member.name)
            ? masked(member.value)
            : json(member.value, at: paths.isEmpty ? [] : place + [Substring(member.name)], depth: depth + 1),
          position: member.position, comment: member.comment)
      }
      return JSONNode(.object(values), at: node.position)
    }
  }

  /// A secret of any kind; nothing, a flag and an empty text tell nothing.
  private func masked(_ node: JSONNode) -> JSONNode {
    switch node.content {
    case .null, .bool: node
    case .string(""): node
    default: JSONNode(.string(rules.mask), at: node.position)
    }
  }

  private static func fits(_ pattern: [Substring], _ place: [Substring]) -> Bool {
    pattern.count == place.count && zip(pattern, place).allSatisfy { $0 == "*" || $0 == $1 }
  }

  // MARK: Bodies

  /// A body by its type; nil where it says that it is a text that can be looked into, and is none.
  package func body(_ bytes: [UInt8], type: String?) -> [UInt8]? {
    let type = type?.lowercased() ?? ""
    guard let text = String(validUTF8: bytes) else { return Self.isText(type) && !bytes.isEmpty ? nil : bytes }
    return Array(body(text, type: type).utf8)
  }

  private func body(_ text: String, type: String) -> String {
    let bytes = Array(text.utf8)
    let start = bytes.first { $0 > 0x20 }
    // A body that looks like JSON is read as such, whatever the type says: many servers do not set it.
    if start == UInt8(ascii: "{") || start == UInt8(ascii: "[") {
      if let node = try? JSONSource(parsing: bytes, file: "", depth: HARFile.depth).root {
        let masked = json(node)
        return masked == node ? text : masked.line
      }
    }
    var ranges: [Range<Int>] = []
    if start == UInt8(ascii: "<") { ranges = ParameterText.elements(in: bytes, names) }
    if type.hasPrefix("multipart/"), let boundary = Self.boundary(of: type, bytes) {
      ranges += ParameterText.parts(in: bytes, boundary: boundary, names)
    } else if type.hasPrefix("application/x-www-form-urlencoded") {
      ranges += ParameterText.values(in: bytes, isForm: true, names)
    }
    return self.text(SecretScan.replaced(bytes, ranges, rules.mask) ?? text)
  }

  /// The boundary of a multipart body: as it begins, since types were put into lower case.
  private static func boundary(of type: String, _ bytes: [UInt8]) -> String? {
    guard bytes.starts(with: "--".utf8) else { return nil }
    let line = bytes.dropFirst(2).prefix { $0 != 0x0d && $0 != 0x0a }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  private static func isText(_ type: String) -> Bool {
    ["json", "xml", "text/", "form", "javascript", "graphql", "csv", "yaml"].contains { type.has($0) }
  }
}
