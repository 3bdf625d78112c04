extension SwiftAPISupport {
  static let routes = #"""
    /// An operation as a server offers it.
    struct APIRoute: Sendable {
      let operation: APIOperation
      let handle: @Sendable (APIRequest) async throws -> APIResponse
      private let segments: [[Piece]]

      private enum Piece: Sendable {
        case text(String)
        case value(String)
      }

      init(_ operation: APIOperation, handle: @escaping @Sendable (APIRequest) async throws -> APIResponse) {
        self.operation = operation
        self.handle = handle
        let path = operation.path.prefix { $0 != "?" }
        segments = path.split(separator: "/" as Character, omittingEmptySubsequences: false).dropFirst().map(Self.pieces)
      }

      private static func pieces(_ segment: Substring) -> [Piece] {
        var pieces: [Piece] = []
        var rest = segment
        while let brace = rest.firstIndex(of: "{"), let end = rest[brace...].firstIndex(of: "}") {
          if brace > rest.startIndex { pieces.append(.text(String(rest[..<brace]))) }
          pieces.append(.value(String(rest[rest.index(after: brace)..<end])))
          rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        return pieces
      }

      /// The number of parameters in the path: fewer go before more.
      var valueCount: Int {
        segments.joined().reduce(0) { if case .value = $1 { $0 + 1 } else { $0 } }
      }

      /// The values of the path's parameters; nil where it is another path.
      func values(_ path: [Substring]) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (pieces, segment) in zip(segments, path) {
          guard Self.match(pieces[...], segment, &values) else { return nil }
        }
        return values
      }

      private static func match(_ pieces: ArraySlice<Piece>, _ text: Substring, _ values: inout [String: String]) -> Bool {
        guard let first = pieces.first else { return text.isEmpty }
        switch first {
        case .text(let literal):
          guard pieces.count > 1 else { return text == literal || APIText.decoded(text) == literal }
          guard text.hasPrefix(literal) else { return false }
          return match(pieces.dropFirst(), text.dropFirst(literal.count), &values)
        case .value(let name):
          guard !text.isEmpty else { return false }
          var end = text.endIndex
          // Two values side by side are told apart by the sign that the second begins with.
          if pieces.count > 1, case .value = pieces[pieces.startIndex + 1] {
            let rest = text.dropFirst()
            end = rest.firstIndex(of: ";") ?? rest.lastIndex(of: ".") ?? end
          }
          while end > text.startIndex {
            if match(pieces.dropFirst(), text[end...], &values) {
              values[name] = String(text[..<end])
              return true
            }
            end = text.index(before: end)
          }
          return false
        }
      }
    }

    /// All operations of a server.
    struct APIRoutes: Sendable {
      private let routes: [APIRoute]
      private let schemes: [String: APISecurityScheme]
      private let basePath: String
      private let failed: @Sendable (any Error, APIOperation) -> Void
      private let authorize: @Sendable ([String: APICredential], APIOperation) async throws -> Void

      init(
        _ routes: [APIRoute], schemes: [String: APISecurityScheme] = [:], basePath: String,
        failed: @escaping @Sendable (any Error, APIOperation) -> Void,
        authorize: @escaping @Sendable ([String: APICredential], APIOperation) async throws -> Void = { _, _ in }
      ) {
        self.routes = routes.enumerated().sorted {
          ($0.element.valueCount, $0.offset) < ($1.element.valueCount, $1.offset)
        }.map(\.element)
        self.schemes = schemes
        self.basePath = basePath.hasSuffix("/") ? String(basePath.dropLast()) : basePath
        self.failed = failed
        self.authorize = authorize
      }

      /// The answer to a request; a request that is not as described is answered with the reason.
      func respond(to request: APIRequest) async -> APIResponse {
        guard request.path.hasPrefix(basePath) else { return Self.refusal(404, "there is no such path") }
        let path = request.path.dropFirst(basePath.count).split(separator: "/" as Character, omittingEmptySubsequences: false)
          .dropFirst()
        var methods: Set<String> = []
        for route in routes {
          guard let values = route.values(Array(path)) else { continue }
          guard route.operation.method == request.method else {
            methods.insert(route.operation.method)
            continue
          }
          var request = request
          request.pathValues = values
          request.operation = route.operation.id
          return await answer(request, route)
        }
        guard !methods.isEmpty else { return Self.refusal(404, "there is no such path") }
        return Self.refusal(405, "the path has no such method", [APIHeader("Allow", methods.sorted().joined(separator: ", "))])
      }

      private func answer(_ request: APIRequest, _ route: APIRoute) async -> APIResponse {
        do {
          try await checkCredentials(request, route.operation)
          return try await route.handle(request)
        } catch let fault as APIFault {
          switch fault.kind {
          case .badRequest: return Self.refusal(400, fault.message)
          case .unsupportedMediaType: return Self.refusal(415, fault.message)
          case .unauthorized:
            let names = route.operation.security.joined()
            let challenges = names.compactMap { schemes[$0]?.challenge }.map { APIHeader("WWW-Authenticate", $0) }
            return Self.refusal(401, fault.message, challenges)
          case .badAnswer, .unexpectedStatus:
            failed(fault, route.operation)
            return Self.refusal(500, "the server could not answer")
          }
        } catch {
          failed(error, route.operation)
          return Self.refusal(500, "the server could not answer")
        }
      }

      private func checkCredentials(_ request: APIRequest, _ operation: APIOperation) async throws {
        guard !operation.security.isEmpty else { return }
        var given: [String: APICredential] = [:]
        for name in operation.security.joined() { given[name] = schemes[name]?.credential(of: request) }
        guard operation.security.contains(where: { group in group.allSatisfy { given[$0] != nil } }) else {
          throw APIFault(.unauthorized, "credentials are missing")
        }
        try await authorize(given, operation)
      }

      /// A request that is not as described, told by the path of what is wrong.
      static func reading<Value>(_ work: () throws -> Value) throws -> Value {
        do {
          return try work()
        } catch let invalid as JSONInvalid {
          throw APIFault(.badRequest, invalid.description)
        } catch let problem as JSONProblem {
          throw APIFault(.badRequest, problem.description)
        }
      }

      private static func refusal(_ status: Int, _ message: String, _ headers: [APIHeader] = []) -> APIResponse {
        APIResponse(
          status, headers: headers + [APIHeader("Content-Type", "application/problem+json")],
          body: APIText.json(.object(["status": .integer(status), "detail": .string(message)])))
      }
    }

    """#

  static let links = #"""
    /// A further operation that an answer makes possible.
    public struct APILink: Sendable, Hashable {
      public let name: String
      /// The name of the operation, or its address in a description.
      public let operation: String
      /// Values, and expressions such as `$response.body#/id`.
      public let parameters: [String: JSONValue]
      public let body: JSONValue?

      init(_ name: String, _ operation: String, _ parameters: [String: JSONValue] = [:], body: JSONValue? = nil) {
        self.name = name
        self.operation = operation
        self.parameters = parameters
        self.body = body
      }

      /// The values of the parameters of the operation, after an exchange.
      ///
      /// - Source: OpenAPI, “Runtime Expressions”.
      public func values(request: APIRequest, response: APIResponse) -> [String: JSONValue] {
        parameters.compactMapValues { Self.value($0, request, response) }
      }

      static func value(_ value: JSONValue, _ request: APIRequest, _ response: APIResponse) -> JSONValue? {
        guard case .string(let text) = value else { return value }
        guard text.hasPrefix("$") else { return embedded(text, request, response) }
        return evaluated(text, request, response)
      }

      /// A text with expressions in braces.
      private static func embedded(_ text: String, _ request: APIRequest, _ response: APIResponse) -> JSONValue? {
        var result = ""
        var rest = text[...]
        while let brace = rest.firstIndex(of: "{"), let end = rest[brace...].firstIndex(of: "}") {
          result += rest[..<brace]
          let inner = String(rest[rest.index(after: brace)..<end])
          guard inner.hasPrefix("$"), let value = evaluated(inner, request, response) else { return nil }
          result += APIText.text(value)
          rest = rest[rest.index(after: end)...]
        }
        return .string(result + rest)
      }

      private static func evaluated(_ expression: String, _ request: APIRequest, _ response: APIResponse) -> JSONValue? {
        switch expression {
        case "$url": return .string(request.url)
        case "$method": return .string(request.method)
        case "$statusCode": return .integer(response.status)
        default: break
        }
        let isRequest = expression.hasPrefix("$request.")
        guard isRequest || expression.hasPrefix("$response.") else { return nil }
        let rest = expression.drop { $0 != "." }.dropFirst()
        let headers = isRequest ? request.headers : response.headers
        if rest.hasPrefix("header.") { return APIText.header(String(rest.dropFirst(7)), headers).map { .string($0) } }
        if rest.hasPrefix("query.") {
          let name = rest.dropFirst(6)
          return APIText.pairs(request.query ?? "").first { $0.name == name }.map { .string(APIText.decoded($0.value)) }
        }
        if rest.hasPrefix("path.") {
          return request.pathValues[String(rest.dropFirst(5))].map { .string(APIText.decoded($0)) }
        }
        guard rest.hasPrefix("body"), let body = try? APIText.json(isRequest ? request.body : response.body) else { return nil }
        return pointed(rest.dropFirst(4), in: body)
      }

      /// The value at a JSON pointer (RFC 6901).
      private static func pointed(_ fragment: Substring, in body: JSONValue) -> JSONValue? {
        var value = body
        for step in fragment.dropFirst(fragment.hasPrefix("#") ? 1 : 0).split(separator: "/" as Character, omittingEmptySubsequences: false).dropFirst() {
          let name = step.split(separator: "~1", omittingEmptySubsequences: false).joined(separator: "/")
            .split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
          switch value {
          case .object(let members):
            guard let next = members[name] else { return nil }
            value = next
          case .array(let values):
            guard let index = Int(name), values.indices.contains(index) else { return nil }
            value = values[index]
          default: return nil
          }
        }
        return value
      }
    }

    """#
}
