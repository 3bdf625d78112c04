/// The Swift that generated calls stand on, beside `SwiftModelSupport`.
///
/// It has requests, styles of parameters, media types and routes, and imports nothing.
enum SwiftAPISupport {
  /// The whole support.
  static func source(access: String) -> String {
    let parts = [
      requests, security, jsonText, styles, parameters, forms, contents, multipart, xml, xmlText, routes, links,
    ]
    let text = parts.joined(separator: "\n")
    return access == "public" ? text : text.replacing("public ", with: access == "internal" ? "" : access + " ")
  }

  /// Names of types of the support, which nothing in a description can have.
  static let reservedTypes: Set<String> = [
    "APIBasicCredential", "APICaller", "APICheck", "APIContent", "APICredential", "APIFault", "APIFile",
    "APIFormFields", "APIHeader", "APILink", "APIMember", "APIMultipart", "APIOperation", "APIParameter", "APIPart",
    "APIPartReader",
    "APIPartRule", "APIPartWriter", "APIPlace", "APIRequest", "APIRequestReader", "APIRequestWriter", "APIResponse",
    "APIResponseReader", "APIResponseWriter", "APIRoute", "APIRoutes", "APISecurityScheme", "APIShape", "APIStyle",
    "APIText", "APITransport", "RPCAPITransport", "APIXMLNode", "APIXMLReader", "APIEncoding", "Input", "Output",
    "Body",
  ]

  static let requests = #"""
    /// A field of a header.
    public struct APIHeader: Sendable, Hashable {
      public var name: String
      public var value: String

      public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
      }
    }

    /// A request on its way from a client to a server.
    public struct APIRequest: Sendable, Hashable {
      public var method: String
      /// The address of the server, without a slash at its end; empty where a server reads it.
      public var server: String
      /// The path with its percent encoding; it begins with a slash.
      public var path: String
      /// The query without its question mark; nil where there is none.
      public var query: String?
      public var headers: [APIHeader]
      public var body: [UInt8]
      /// The name of the operation in the description; empty before a server has found it.
      public var operation: String
      /// The values of the path's parameters, percent-encoded as they came.
      var pathValues: [String: String] = [:]

      public init(
        _ method: String, server: String = "", path: String, query: String? = nil,
        headers: [APIHeader] = [], body: [UInt8] = [], operation: String = ""
      ) {
        self.method = method
        self.server = server
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.operation = operation
      }

      /// The whole address.
      public var url: String { server + path + (query.map { "?" + $0 } ?? "") }

      /// The first field of a name, in whatever case it is written.
      public func header(_ name: String) -> String? { APIText.header(name, headers) }
    }

    /// An answer on its way back.
    public struct APIResponse: Sendable, Hashable {
      public var status: Int
      public var headers: [APIHeader]
      public var body: [UInt8]

      public init(_ status: Int, headers: [APIHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
      }

      /// The first field of a name, in whatever case it is written.
      public func header(_ name: String) -> String? { APIText.header(name, headers) }
    }

    /// The way of requests to a server: URLSession, curl, an answer made up by a test.
    public protocol APITransport: Sendable {
      /// Sends a request; an answer of any status is no error.
      func send(_ request: APIRequest) async throws -> APIResponse
    }

    /// An operation of a description.
    public struct APIOperation: Sendable, Hashable {
      public let id: String
      public let method: String
      /// The path with its parameters in braces.
      public let path: String
      /// Groups of security schemes, of which one is wanted; empty where none is.
      public let security: [[String]]

      public init(_ id: String, _ method: String, _ path: String, security: [[String]] = []) {
        self.id = id
        self.method = method
        self.path = path
        self.security = security
      }
    }

    /// The reason why a request or an answer is not as described.
    public struct APIFault: Error, Sendable, Hashable, CustomStringConvertible {
      public enum Kind: Sendable, Hashable {
        /// The request is not as described; a server answers it with 400.
        case badRequest
        /// The media type of the request is not described; a server answers it with 415.
        case unsupportedMediaType
        /// The caller has not shown an identity; a server answers it with 401.
        case unauthorized
        /// The answer is not as described.
        case badAnswer
        /// The answer has another status than the one that was wanted.
        case unexpectedStatus
      }
      public let kind: Kind
      public let message: String

      public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
      }

      public var description: String { message }
    }

    /// The checks of a value beyond its type.
    typealias APICheck = @Sendable (JSONValue, inout JSONReport) -> Void

    """#
}
