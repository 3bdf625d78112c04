import MPaaSJSON
import MPaaSSupport

/// Makes OpenAPI 3.0 of older descriptions, value by value, so that places stay.
enum OpenAPIConversion {
  /// The description as OpenAPI 3; unchanged where it is that already.
  ///
  /// - Throws: `openapi-unknown-format` for what is no description at all.
  static func converted(_ source: JSONSource) throws(OpenAPIError) -> JSONSource {
    let root = source.root
    if root["openapi"] != nil { return source }
    if let version = root["swagger"] {
      guard version.text.hasPrefix("2") else {
        throw OpenAPIError(.unknownVersion, ["version": version.text], at: source.place(version))
      }
      return JSONSource(file: source.file, root: SwaggerConversion(root).document())
    }
    if root["item"]?.elements != nil {
      return JSONSource(file: source.file, root: PostmanConversion(root).document())
    }
    throw OpenAPIError(.unknownFormat, at: source.place(root))
  }
}

extension JSONNode {
  /// An object of the members that are there.
  static func made(_ members: [(String, JSONNode?)], at position: TextPosition = .start) -> JSONNode {
    JSONNode(
      .object(members.compactMap { name, value in value.map { Member(name: name, value: $0, position: $0.position) } }),
      at: position)
  }

  static func text(_ text: String) -> JSONNode { JSONNode(.string(text)) }

  /// The object with a member in the place of the one that had its name, or behind all.
  func setting(_ name: String, _ value: JSONNode) -> JSONNode {
    var members = self.members ?? []
    let member = Member(name: name, value: value, position: value.position)
    if let index = members.firstIndex(where: { $0.name == name }) {
      members[index] = member
    } else {
      members.append(member)
    }
    return JSONNode(.object(members), at: position)
  }

  /// The object with the members that `change` makes of its own.
  func mapping(_ change: (Member) -> JSONNode?) -> JSONNode {
    JSONNode(
      .object(
        (members ?? []).compactMap { member in
          change(member).map { Member(name: member.name, value: $0, position: member.position) }
        }), at: position)
  }
}
