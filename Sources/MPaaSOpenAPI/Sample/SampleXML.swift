import MPaaSJSON
import MPaaSSupport

/// Values as XML, by the names that a schema gives to elements and attributes.
enum SampleXML {
  static func text(_ value: JSONNode, _ schema: OpenAPISchema?) -> String {
    element(schema?.node["xml"]?["name"]?.string ?? "xml", value, schema, depth: 0)
  }

  private static func element(_ name: String, _ value: JSONNode, _ schema: OpenAPISchema?, depth: Int) -> String {
    let tag = Self.tag(name, schema)
    switch value.content {
    case .object(let members) where depth < 64:
      var attributes = ""
      var content = ""
      for member in members {
        let inner = schema?["properties"]?[member.name]
        let xml = inner?.node["xml"]
        let own = xml?["name"]?.string ?? member.name
        if xml?["attribute"]?.bool == true || xml?["nodeType"]?.string == "attribute" {
          attributes += " \(Self.tag(own, inner))=\"\(plain(member.value).escapedMarkup(.attribute))\""
        } else {
          content += list(own, member.value, inner, depth: depth)
        }
      }
      return "<\(tag)\(attributes)>\(content)</\(tag)>"
    case .array: return "<\(tag)>\(list(name, value, schema, depth: depth))</\(tag)>"
    default: return "<\(tag)>\(plain(value).escapedMarkup(.content))</\(tag)>"
    }
  }

  private static func list(_ name: String, _ value: JSONNode, _ schema: OpenAPISchema?, depth: Int) -> String {
    guard let elements = value.elements else { return element(name, value, schema, depth: depth + 1) }
    guard depth < 64 else { return "" }
    let items = schema?["items"]
    let own = items?.node["xml"]?["name"]?.string ?? name
    let content = elements.map { element(own, $0, items, depth: depth + 1) }.joined()
    guard schema?.node["xml"]?["wrapped"]?.bool == true else { return content }
    return "<\(name)>\(content)</\(name)>"
  }

  private static func tag(_ name: String, _ schema: OpenAPISchema?) -> String {
    let prefix = schema?.node["xml"]?["prefix"]?.string.map { $0 + ":" } ?? ""
    let bare = String(name.map { $0.isLetter || $0.isNumber || "-._".contains($0) ? $0 : "_" })
    return prefix + (bare.first.map { $0.isLetter || $0 == "_" } == true ? bare : "_" + bare)
  }

  private static func plain(_ value: JSONNode) -> String {
    if case .null = value.content { return "" }
    return value.string ?? value.line
  }
}
