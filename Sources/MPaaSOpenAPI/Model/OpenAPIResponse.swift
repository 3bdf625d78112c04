package import MPaaSJSON

/// The statuses that a response is described for.
package enum OpenAPIStatus: Sendable, Hashable, CustomStringConvertible {
  case code(Int)
  /// All of a hundred: 4 for `4XX`.
  case range(Int)
  /// All that are not described: `default`.
  case other

  /// Reads the name of a response; nil where it is none.
  package init?(_ text: String) {
    if text == "default" {
      self = .other
    } else if text.utf8.count == 3, let code = Int(text), (100...599).contains(code) {
      self = .code(code)
    } else if text.utf8.count == 3, text.lowercased().hasSuffix("xx"), let hundred = text.first?.wholeNumberValue,
      (1...5).contains(hundred)
    {
      self = .range(hundred)
    } else {
      return nil
    }
  }

  package var description: String {
    switch self {
    case .code(let code): String(code)
    case .range(let hundred): "\(hundred)XX"
    case .other: "default"
    }
  }
}

/// An answer of an operation.
package struct OpenAPIResponse: Sendable {
  package let status: OpenAPIStatus
  package let location: OpenAPILocation
  package let summary: String?
  package let description: String?
  package let headers: [OpenAPIHeader]
  package let content: [OpenAPIMediaType]
  package let links: [OpenAPILink]
}

/// A further operation that an answer makes possible.
package struct OpenAPILink: Sendable {
  package let name: String
  package let operationID: String?
  /// The address of the operation, where it is not named.
  package let operationRef: String?
  /// Values or expressions such as `$response.body#/id`.
  package let parameters: [(name: String, value: JSONNode)]
  package let requestBody: JSONNode?
  package let description: String?
}
