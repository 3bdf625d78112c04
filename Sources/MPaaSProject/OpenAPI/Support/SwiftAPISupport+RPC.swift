extension SwiftAPISupport {
  /// The transport that sends requests through a client of MPaaSRPC.
  ///
  /// Unlike the rest of the support, it imports a library of the kit, and so has a file of its own.
  static func rpcTransport(access: String) -> String {
    let text = """
      \(access == "internal" ? "" : access + " ")import MPaaSRPC

      /// The way of requests through a client of MPaaSRPC: its layers, attempts, cache, circuit and spans.
      ///
      /// A call has the name of its operation, so that settings can be made for it:
      /// `client.configure(.operation("listBooks")) { $0.timeout = .seconds(5) }`.
      public struct RPCAPITransport: APITransport {
        public var client: RPCClient
        /// Changes a call before it is sent: its key, its signature, the use of the cache.
        public var prepare: @Sendable (inout RPCCall, APIRequest) -> Void

        public init(
          _ client: RPCClient, prepare: @escaping @Sendable (inout RPCCall, APIRequest) -> Void = { _, _ in }
        ) {
          self.client = client
          self.prepare = prepare
        }

        /// Sends a request; an answer of any status is no error, and what came to none throws `RPCError`.
        public func send(_ request: APIRequest) async throws -> APIResponse {
          var call = RPCCall(request.method, url: request.url, body: request.body)
          if !request.operation.isEmpty { call.operationType = request.operation }
          call.headers = Self.fields(request.headers)
          prepare(&call, request)
          do throws(RPCError) {
            return Self.response(try await client.send(call))
          } catch {
            guard let response = error.response else { throw error }
            return Self.response(response)
          }
        }

        /// The fields by their names; those of one name become one (RFC 9110, 5.3).
        private static func fields(_ headers: [APIHeader]) -> [String: String] {
          var names: [String: String] = [:]
          var fields: [String: String] = [:]
          for header in headers {
            let lower = header.name.lowercased()
            let name = names[lower] ?? header.name
            names[lower] = name
            let separator = lower == "cookie" ? "; " : ", "
            fields[name] = fields[name].map { $0 + separator + header.value } ?? header.value
          }
          return fields
        }

        private static func response(_ response: RPCResponse) -> APIResponse {
          let headers = response.headers.sorted { $0.key < $1.key }.map { APIHeader($0.key, $0.value) }
          return APIResponse(response.status, headers: headers, body: response.body)
        }
      }

      """
    return access == "public" ? text : text.replacing("public ", with: access == "internal" ? "" : access + " ")
  }
}
