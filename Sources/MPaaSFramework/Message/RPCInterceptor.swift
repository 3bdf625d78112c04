/// Sees each call before it goes to the server, and each answer before its caller does.
public protocol RPCInterceptor: Sendable {
  /// Changes a call before it is sent, or refuses it with an error.
  func willSend(_ request: inout MessageTransport.Request) async throws

  /// Changes an answer before its caller sees it, or refuses it with an error.
  func didReceive(_ response: inout MessageTransport.Response, to request: MessageTransport.Request) async throws
}

extension RPCInterceptor {
  public func willSend(_ request: inout MessageTransport.Request) async throws {}
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
  public var all: [any RPCInterceptor]

  public init(_ all: [any RPCInterceptor]) {
    self.all = all
  }

  public func willSend(_ request: inout MessageTransport.Request) async throws {
    for interceptor in all { try await interceptor.willSend(&request) }
  }

  public func didReceive(
    _ response: inout MessageTransport.Response, to request: MessageTransport.Request
  ) async throws {
    for interceptor in all.reversed() { try await interceptor.didReceive(&response, to: request) }
  }
}
