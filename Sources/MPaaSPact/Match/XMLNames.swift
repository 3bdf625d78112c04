import MPaaSSupport
import MPaaSXML

/// The prefixes of name spaces that hold in an element.
struct XMLNames {
  /// A name with the address of its name space.
  struct Name: Hashable {
    let space: String
    let local: String
    /// As the document has it, with its prefix.
    let shown: String

    static func == (left: Name, right: Name) -> Bool { left.space == right.space && left.local == right.local }
    func hash(into hasher: inout Hasher) {
      hasher.combine(space)
      hasher.combine(local)
    }

    /// Each form that an expression may have it in.
    var all: [String] { [shown, local] + (space.isEmpty ? [] : ["\(space):\(local)"]) }
  }

  private var spaces: [String: String] = ["xml": "http://www.w3.org/XML/1998/namespace"]

  /// The prefixes inside an element.
  func inside(_ element: XMLElement) -> XMLNames {
    var names = self
    for (name, value) in element.attributes {
      if name == "xmlns" { names.spaces[""] = value }
      if name.hasPrefix("xmlns:") { names.spaces[String(name.dropFirst(6))] = value }
    }
    return names
  }

  /// A name of the document; attributes without a prefix are in no name space.
  func name(_ text: String, isAttribute: Bool = false) -> Name {
    guard let colon = text.firstIndex(of: ":") else {
      return Name(space: isAttribute ? "" : spaces[""] ?? "", local: text, shown: text)
    }
    let prefix = String(text[..<colon])
    return Name(space: spaces[prefix] ?? prefix, local: String(text[text.index(after: colon)...]), shown: text)
  }
}

/// An element with its names resolved, and its texts together.
struct NamedElement {
  let name: XMLNames.Name
  let attributes: [(name: XMLNames.Name, value: String)]
  let children: [NamedElement]
  /// Without white space at both ends.
  let text: String

  init(_ element: XMLElement, _ outer: XMLNames) {
    let names = outer.inside(element)
    name = names.name(element.name)
    attributes = element.attributes.filter { $0.name != "xmlns" && !$0.name.hasPrefix("xmlns:") }.map {
      (names.name($0.name, isAttribute: true), $0.value)
    }
    children = element.elements.map { NamedElement($0, names) }
    var bytes: [UInt8] = []
    for case .text(let part) in element.children { bytes += part.bytes }
    text = String(decoding: bytes, as: UTF8.self).trimmed
  }
}
