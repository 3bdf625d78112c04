extension SwiftAPISupport {
  static let security = #"""
    /// A way of showing who calls.
    public enum APISecurityScheme: Sendable, Hashable {
      case key(String, in: APIPlace)
      case basic
      /// A token behind a word of the field `Authorization`, `Bearer` mostly.
      case token(String)
      /// The identity that the connection itself shows.
      case connection
    }

    /// The credentials of the caller for one scheme.
    public enum APICredential: Sendable, Hashable {
      case key(String)
      case basic(APIBasicCredential)
      case token(String)
      case connection
    }

    /// A name and a password.
    public struct APIBasicCredential: Sendable, Hashable {
      public var user: String
      public var password: String

      public init(user: String, password: String) {
        self.user = user
        self.password = password
      }
    }

    /// Sends the requests of a client, with what shows who calls.
    struct APICaller: Sendable {
      var server: String
      var transport: any APITransport
      var schemes: [String: APISecurityScheme]
      var credentials: [String: APICredential]

      func send(_ request: APIRequest, _ operation: APIOperation) async throws -> APIResponse {
        var request = request
        request.server = server.hasSuffix("/") ? String(server.dropLast()) : server
        try authorize(&request, operation)
        return try await transport.send(request)
      }

      private func authorize(_ request: inout APIRequest, _ operation: APIOperation) throws {
        guard !operation.security.isEmpty else { return }
        let known = operation.security.first { group in
          group.allSatisfy { schemes[$0] == .connection || credentials[$0] != nil }
        }
        guard let known else {
          let names = operation.security.map { $0.joined(separator: " + ") }.joined(separator: ", ")
          throw APIFault(.unauthorized, "\(operation.id) needs credentials: \(names)")
        }
        for name in known {
          guard let scheme = schemes[name], let credential = credentials[name] else { continue }
          scheme.add(credential, to: &request)
        }
      }
    }

    extension APISecurityScheme {
      func add(_ credential: APICredential, to request: inout APIRequest) {
        switch (self, credential) {
        case (.key(let name, .header), .key(let value)):
          request.headers.append(APIHeader(name, value))
        case (.key(let name, .query), .key(let value)):
          let pair = APIText.encoded(name) + "=" + APIText.encoded(value)
          request.query = (request.query.map { $0 + "&" } ?? "") + pair
        case (.key(let name, .cookie), .key(let value)):
          APIText.addCookie(name + "=" + value, to: &request.headers)
        case (.basic, .basic(let value)):
          let text = APIText.base64(Array((value.user + ":" + value.password).utf8))
          request.headers.append(APIHeader("Authorization", "Basic " + text))
        case (.token(let word), .token(let value)):
          request.headers.append(APIHeader("Authorization", word + " " + value))
        default: break
        }
      }

      /// The credentials of a request; nil where it has none for this scheme.
      func credential(of request: APIRequest) -> APICredential? {
        switch self {
        case .key(let name, .header): return request.header(name).map { .key($0) }
        case .key(let name, .cookie): return APIText.cookie(name, request.headers).map { .key($0) }
        case .key(let name, _):
          return APIText.pairs(request.query ?? "").first { $0.name == name }.map { .key(APIText.decoded($0.value)) }
        case .connection: return .connection
        case .basic:
          guard let bytes = Self.value("basic", request).flatMap(APIText.base64) else { return nil }
          let text = String(decoding: bytes, as: UTF8.self)
          guard let colon = text.firstIndex(of: ":") else { return nil }
          return .basic(
            APIBasicCredential(
              user: String(text[..<colon]), password: String(text[text.index(after: colon)...])))
        case .token(let word): return Self.value(word, request).map { .token($0) }
        }
      }

      private static func value(_ word: String, _ request: APIRequest) -> String? {
        guard let field = request.header("Authorization"),
          field.prefix(word.count + 1).lowercased() == word.lowercased() + " "
        else { return nil }
        return String(field.dropFirst(word.count + 1))
      }

      /// The value of `WWW-Authenticate` that asks for it.
      var challenge: String {
        switch self {
        case .basic: "Basic"
        case .token(let word): word
        case .key(let name, _): "ApiKey name=\"\(name)\""
        case .connection: "Mutual"
        }
      }
    }

    """#
}
