package import MPaaSJSON

/// The way in which values are written into text.
package enum OpenAPIStyle: String, Sendable {
  case matrix, label, simple, form, spaceDelimited, pipeDelimited, deepObject
  /// As `form`, joined by `; ` (3.2).
  case cookie
}

/// A value of a request beside its body.
package struct OpenAPIParameter: Sendable {
  package enum Place: String, Sendable {
    case path, query, header, cookie
    /// The whole query as one value (3.2).
    case querystring
  }

  package let name: String
  package let place: Place
  package let location: OpenAPILocation
  package let node: JSONNode
  package let description: String?
  package let isRequired: Bool
  package let isDeprecated: Bool
  package let allowsEmpty: Bool
  package let allowsReserved: Bool
  package let value: OpenAPIEncodedValue
}

/// The schema of a value and how it is written: a style, or a media type instead.
package struct OpenAPIEncodedValue: Sendable {
  package let style: OpenAPIStyle
  package let explodes: Bool
  package let schema: OpenAPISchema?
  /// The media type in which the value is written where it has no style.
  package let content: OpenAPIMediaType?
  package let examples: [OpenAPIExample]
}

/// A header of a response or of a part.
package struct OpenAPIHeader: Sendable {
  package let name: String
  package let location: OpenAPILocation
  package let description: String?
  package let isRequired: Bool
  package let isDeprecated: Bool
  package let value: OpenAPIEncodedValue
}
