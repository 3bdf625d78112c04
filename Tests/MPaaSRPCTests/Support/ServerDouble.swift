import MPaaSLock
import MPaaSRPC

/// A server in the place of the network, which answers as a test says.
final class ServerDouble: Sendable {
  private let heard = Lock<[RPCTransport.Request]>([])
  private let answer: @Sendable (RPCTransport.Request, Int) async throws(RPCError) -> RPCTransport.Response

  /// - Parameter answer: Answers a request, of which it gets the number from 0.
  init(_ answer: @escaping @Sendable (RPCTransport.Request, Int) async throws(RPCError) -> RPCTransport.Response) {
    self.answer = answer
  }

  var requests: [RPCTransport.Request] { heard.withLock { $0 } }

  var transport: RPCTransport {
    RPCTransport { request throws(RPCError) in
      let number = self.heard.withLock { heard in
        heard.append(request)
        return heard.count - 1
      }
      return try await self.answer(request, number)
    }
  }

  /// A client of this server, which signs nothing.
  func client(
    clock: RPCClock = .system, middleware: [any RPCMiddleware] = [], cache: RPCCache? = nil,
    budget: RPCRetryBudget = RPCRetryBudget(), _ change: (inout RPCConfiguration) -> Void = { _ in }
  ) -> RPCClient {
    var configuration = RPCConfiguration(gateway: "https://gw.example.com/mgw.htm")
    configuration.signs = false
    configuration.breaker = nil
    change(&configuration)
    var parts = RPCClient.Parts(transport: transport)
    parts.clock = clock
    parts.middleware = middleware
    parts.cache = cache
    parts.budget = budget
    return RPCClient(configuration, parts: parts)
  }
}

extension RPCTransport.Response {
  static func ok(_ text: String = "null", _ headers: [String: String] = [:]) -> Self {
    Self(status: 200, headers: headers, body: Array(text.utf8))
  }
}

extension RPCCall {
  static func read(_ operation: String = "shop.read") -> RPCCall {
    var call = RPCCall(operation)
    call.effect = .reads
    return call
  }
}

/// The outcome of something that may throw, for comparisons.
func outcome(_ body: () async throws(RPCError) -> RPCResponse) async -> Result<RPCResponse, RPCError> {
  do throws(RPCError) { return .success(try await body()) } catch { return .failure(error) }
}

extension Result where Success == RPCResponse, Failure == RPCError {
  var text: String? { try? get().text }
  var error: RPCError? { if case .failure(let error) = self { error } else { nil } }
}
