/// A layer that sends the session with each call, and begins a new one where the server says that it is over.
///
/// ```swift
/// RPCSessionMiddleware(session: { store.session }, renew: { try await login.again() })
/// ```
public struct RPCSessionMiddleware: RPCMiddleware {
  private let field: String
  private let excluded: Set<String>
  private let session: @Sendable () -> RPCSession?
  private let renew: @Sendable () async -> Bool

  /// Makes the layer.
  ///
  /// - Parameters:
  ///   - field: The header field that bears the session's ID.
  ///   - excluded: Operations that go without one, such as the login itself.
  ///   - session: The session of now; nil where no user is logged in.
  ///   - renew: Begins a new session after the result code 2000; true where there is one, and the call is sent again.
  public init(
    field: String = "sessionId", excluding excluded: Set<String> = [], session: @escaping @Sendable () -> RPCSession?,
    renew: @escaping @Sendable () async -> Bool = { false }
  ) {
    self.field = field
    self.excluded = excluded
    self.session = session
    self.renew = renew
  }

  /// Puts the session's ID into the header.
  public func before(_ call: inout RPCCall) async throws(RPCError) {
    guard !excluded.contains(call.operationType), let id = session()?.sessionID else { return }
    call.headers[field] = id
  }

  /// Begins a new session where the old one is over.
  public func failed(_ error: RPCError, in call: RPCCall) async throws(RPCError) -> RPCRecovery {
    let isOver = error.resultCode == .sessionOver || error.code == .notLoggedIn || error.response?.status == 401
    guard isOver, !excluded.contains(call.operationType) else { return .fail }
    return await renew() ? .again : .fail
  }
}
