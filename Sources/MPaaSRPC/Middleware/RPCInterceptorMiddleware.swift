public import MPaaSFramework

/// A layer of an interceptor that an app has for its messages (`appRPCCommonInterceptorClassName` of old).
public struct RPCInterceptorMiddleware: RPCMiddleware {
  private let interceptor: any RPCInterceptor

  /// Makes a layer of an interceptor.
  public init(_ interceptor: any RPCInterceptor) { self.interceptor = interceptor }

  /// Has the interceptor change the fields, the content and the address of the call.
  public func before(_ call: inout RPCCall) async throws(RPCError) {
    var request = Self.request(call)
    do {
      try await interceptor.willSend(&request)
    } catch {
      throw Self.stopped(error)
    }
    call.headers = request.headers
    call.data = request.body
    switch call.form {
    case .operation: call.gateway = request.url.isEmpty ? nil : request.url
    case .http: call.form = .http(method: request.method, url: request.url)
    }
  }

  /// Has the interceptor change the answer.
  public func after(_ response: inout RPCResponse, to call: RPCCall) async throws(RPCError) {
    var answer = MessageTransport.Response(status: response.status, headers: response.headers, body: response.body)
    do {
      try await interceptor.didReceive(&answer, to: Self.request(call))
    } catch {
      throw Self.stopped(error)
    }
    (response.status, response.headers, response.body) = (answer.status, answer.headers, answer.body)
  }

  private static func request(_ call: RPCCall) -> MessageTransport.Request {
    switch call.form {
    case .operation:
      MessageTransport.Request(method: "POST", url: call.gateway ?? "", headers: call.headers, body: call.data)
    case .http(let method, let url):
      MessageTransport.Request(method: method, url: url, headers: call.headers, body: call.data)
    }
  }

  private static func stopped(_ error: any Error) -> RPCError { error as? RPCError ?? .stopped("\(error)") }
}
