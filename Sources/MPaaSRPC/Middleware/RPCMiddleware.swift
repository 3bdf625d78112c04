/// A layer around each call: it sees the call before it goes out, the answer before its caller does, and errors.
///
/// Layers are passed in the order of the client's list on the way out, and in the reverse order on the way back. What a
/// layer throws, or the server's error, goes to the layers further out alone: those whose `before` let the call pass.
///
/// ```swift
/// struct Channel: RPCMiddleware {
///   func before(_ call: inout RPCCall) async throws(RPCError) { call.headers["X-Channel"] = "beta" }
/// }
/// ```
public protocol RPCMiddleware: Sendable {
  /// Changes a call before it is sent, or refuses it with an error.
  func before(_ call: inout RPCCall) async throws(RPCError)

  /// Changes an answer before its caller sees it, or refuses it with an error.
  func after(_ response: inout RPCResponse, to call: RPCCall) async throws(RPCError)

  /// Decides how a failed call goes on; throwing puts another error in the place of this one.
  func failed(_ error: RPCError, in call: RPCCall) async throws(RPCError) -> RPCRecovery
}

/// The way on after an error.
public enum RPCRecovery: Sendable {
  /// The error goes on to the layers further out.
  case fail
  /// The call is sent once more from this layer on; a layer gets that once for each call.
  case again
  /// An answer takes the place of the error.
  case respond(RPCResponse)
}

extension RPCMiddleware {
  /// Leaves the call as it is by default.
  public func before(_ call: inout RPCCall) async throws(RPCError) {}
  /// Leaves the answer as it is by default.
  public func after(_ response: inout RPCResponse, to call: RPCCall) async throws(RPCError) {}
  /// Lets the error go on by default.
  public func failed(_ error: RPCError, in call: RPCCall) async throws(RPCError) -> RPCRecovery { .fail }
}

extension RPCError {
  /// The error of an app's own layer, with the app's words for developers.
  public static func stopped(_ reason: String) -> RPCError { RPCError(.middleware, ["reason": reason]) }
}
