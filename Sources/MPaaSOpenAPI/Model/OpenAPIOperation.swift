package import MPaaSJSON

/// The operations of a path, of a webhook, or of a callback's address.
package struct OpenAPIPathItem: Sendable {
  /// The path with its parameters in braces; the name of a webhook; the expression of a callback.
  package let path: String
  package let location: OpenAPILocation
  package let node: JSONNode
  package let summary: String?
  package let description: String?
  package let servers: [OpenAPIServer]
  package let parameters: [OpenAPIParameter]
  package let operations: [OpenAPIOperation]
}

/// One call: a method on a path.
package struct OpenAPIOperation: Sendable {
  /// The members of a path that are operations.
  static let fixedMethods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

  /// In capitals; `additionalOperations` (3.2) may have others than HTTP's own.
  package let method: String
  package let path: String
  package let location: OpenAPILocation
  package let node: JSONNode
  package let id: String?
  package let summary: String?
  package let description: String?
  package let tags: [String]
  /// The operation's own parameters, and those of its path that it does not replace.
  package let parameters: [OpenAPIParameter]
  package let requestBody: OpenAPIRequestBody?
  package let responses: [OpenAPIResponse]
  package let callbacks: [OpenAPICallback]
  /// Groups of schemes, of which one is wanted; nil where the document's hold.
  package let security: [OpenAPISecurityRequirement]?
  /// The operation's servers, else its path's, else the document's.
  package let servers: [OpenAPIServer]
  package let isDeprecated: Bool

  /// The response for a status: the one for just it, then that of its range, then the default.
  package func response(for status: Int) -> OpenAPIResponse? {
    responses.first { $0.status == .code(status) } ?? responses.first { $0.status == .range(status / 100) }
      ?? responses.first { $0.status == .other }
  }
}

/// Calls that the server makes in turn.
package struct OpenAPICallback: Sendable {
  package let name: String
  package let items: [OpenAPIPathItem]
}

/// A group of schemes that are wanted together; an empty one wants nothing.
package struct OpenAPISecurityRequirement: Sendable {
  package struct Scheme: Sendable {
    package let name: String
    package let scopes: [String]
  }

  package let schemes: [Scheme]
}
