/// Sees each call before it goes to the server, and each answer before its caller does.
public protocol RPCInterceptor: Sendable {
  /// Changes a call before it is sent, or refuses it with an error.
  func willSend(_ request: inout MessageTransport.Request) async throws

  /// Changes an answer before its caller sees it, or refuses it with an error.
  func didReceive(_ response: inout MessageTransport.Response, to request: MessageTransport.Request) async throws
}

extension RPCInterceptor {
  /// Leaves the call as it is by default.
  public func willSend(_ request: inout MessageTransport.Request) async throws {}
  /// Leaves the answer as it is by default.
  public func didReceive(
    _ response: inout MessageTransport.Response, to request: MessageTransport.Request
  ) async throws {}

  /// The same transport with this between it and its callers.
  public func around(_ transport: MessageTransport) -> MessageTransport {
    MessageTransport { request in
      var request = request
      try await willSend(&request)
      var response = try await transport(request)
      try await didReceive(&response, to: request)
      return response
    }
  }
}

/// Several interceptors as one: calls go through them in their order, answers in the reverse.
public struct RPCInterceptors: RPCInterceptor {
  /// The interceptors, in the order in which they see calls.
  public var all: [any RPCInterceptor]

  /// Makes one interceptor of several.
  public init(_ all: [any RPCInterceptor]) {
    self.all = all
  }

  /// Has each interceptor change the call, in order.
  ///
  /// - Throws: The error of the first interceptor that refuses the call; those after it do not see it.
  public func willSend(_ request: inout MessageTransport.Request) async throws {
    for interceptor in all { try await interceptor.willSend(&request) }
  }

  /// Has each interceptor change the answer, in the reverse order.
  ///
  /// - Throws: The error of the first interceptor that refuses the answer; those before it in `all` do not see it.
  public func didReceive(
    _ response: inout MessageTransport.Response, to request: MessageTransport.Request
  ) async throws {
    for interceptor in all.reversed() { try await interceptor.didReceive(&response, to: request) }
  }
}
