package import MPaaSJSON

/// The body of a request, in one of several media types.
package struct OpenAPIRequestBody: Sendable {
  package let location: OpenAPILocation
  package let description: String?
  package let isRequired: Bool
  package let content: [OpenAPIMediaType]
}

/// A body in one media type.
package struct OpenAPIMediaType: Sendable {
  /// The type or the range, such as `application/json` or `image/*`.
  package let type: String
  package let location: OpenAPILocation
  package let schema: OpenAPISchema?
  /// The schema of each item of a sequence (3.2).
  package let itemSchema: OpenAPISchema?
  package let examples: [OpenAPIExample]
  package let encodings: [OpenAPIEncoding]
}

/// The way in which one property of a form is written.
package struct OpenAPIEncoding: Sendable {
  package let name: String
  package let contentType: String?
  package let headers: [OpenAPIHeader]
  /// Nil where neither style nor explode is given, so that the content type counts.
  package let style: OpenAPIStyle?
  package let explodes: Bool
  package let allowsReserved: Bool
}

/// A value that shows what is meant.
package struct OpenAPIExample: Sendable {
  /// Empty for a single example without a name.
  package let name: String
  package let summary: String?
  /// The value; nil where only text or an address is given.
  package let value: JSONNode?
  /// The value as it is sent (3.2).
  package let text: String?
  package let externalValue: String?
  /// The file that it stands in.
  package let file: Int
}

/// A schema where it stands; `reference` leads to another one.
package struct OpenAPISchema: Sendable {
  package let location: OpenAPILocation
  package let node: JSONNode

  package init(location: OpenAPILocation, node: JSONNode) {
    self.location = location
    self.node = node
  }

  package var reference: String? { node["$ref"]?.string }

  /// The schema at a member of this one.
  package subscript(_ name: String) -> OpenAPISchema? {
    node[name].map { OpenAPISchema(location: location[name], node: $0) }
  }

  /// The schemas of a member that is a list, such as `allOf`.
  package func list(_ name: String) -> [OpenAPISchema] {
    (node[name]?.elements ?? []).enumerated().map { index, node in
      OpenAPISchema(location: location[name, String(index)], node: node)
    }
  }

  /// The schemas of a member that has names, such as `properties`.
  package func map(_ name: String) -> [(name: String, schema: OpenAPISchema)] {
    (node[name]?.members ?? []).map { ($0.name, OpenAPISchema(location: location[name, $0.name], node: $0.value)) }
  }
}
