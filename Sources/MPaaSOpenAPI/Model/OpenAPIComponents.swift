import MPaaSJSON

/// The named parts of a description.
package struct OpenAPIComponents: Sendable {
  package let schemas: [(name: String, schema: OpenAPISchema)]
  package let parameters: [(name: String, parameter: OpenAPIParameter)]
  package let requestBodies: [(name: String, body: OpenAPIRequestBody)]
  /// The status of each means nothing.
  package let responses: [(name: String, response: OpenAPIResponse)]
  package let headers: [OpenAPIHeader]
  package let pathItems: [OpenAPIPathItem]
  package let securitySchemes: [OpenAPISecurityScheme]

  package func securityScheme(_ name: String) -> OpenAPISecurityScheme? { securitySchemes.first { $0.name == name } }
}

/// A way of showing who calls.
package struct OpenAPISecurityScheme: Sendable {
  package enum Kind: Sendable {
    case apiKey(name: String, place: OpenAPIParameter.Place)
    /// The scheme in lower case, such as `basic` and `bearer`.
    case http(scheme: String, bearerFormat: String?)
    case mutualTLS
    case oauth2([Flow])
    case openIDConnect(url: String)
  }

  package struct Flow: Sendable {
    /// `implicit`, `password`, `clientCredentials`, `authorizationCode`, `deviceAuthorization` (3.2).
    package let name: String
    package let authorizationURL: String?
    package let tokenURL: String?
    package let refreshURL: String?
    package let scopes: [(name: String, description: String)]
  }

  package let name: String
  package let kind: Kind
  package let description: String?
  package let isDeprecated: Bool

  init?(_ name: String, _ node: JSONNode) {
    guard let kind = Self.kind(node) else { return nil }
    self.name = name
    self.kind = kind
    description = node["description"]?.string
    isDeprecated = node["deprecated"]?.bool ?? false
  }

  private static func kind(_ node: JSONNode) -> Kind? {
    switch node["type"]?.string {
    case "apiKey":
      guard let place = node["in"]?.string.flatMap({ OpenAPIParameter.Place(rawValue: $0) }) else { return nil }
      return .apiKey(name: node["name"]?.string ?? "", place: place)
    case "http":
      return .http(scheme: node["scheme"]?.string?.lowercased() ?? "", bearerFormat: node["bearerFormat"]?.string)
    case "mutualTLS": return .mutualTLS
    case "oauth2": return .oauth2((node["flows"]?.members ?? []).map { Flow($0.name, $0.value) })
    case "openIdConnect": return .openIDConnect(url: node["openIdConnectUrl"]?.string ?? "")
    default: return nil
    }
  }
}

extension OpenAPISecurityScheme.Flow {
  init(_ name: String, _ node: JSONNode) {
    self.name = name
    authorizationURL = node["authorizationUrl"]?.string
    tokenURL = node["tokenUrl"]?.string
    refreshURL = node["refreshUrl"]?.string
    scopes = (node["scopes"]?.members ?? []).map { ($0.name, $0.value.string ?? "") }
  }
}
