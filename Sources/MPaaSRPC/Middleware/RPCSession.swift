/// The user who calls.
public struct RPCSession: Sendable, Hashable {
  /// The user; answers that are kept belong to one.
  public var userID: String?
  /// The ID of the session, which the server gave at the login.
  public var sessionID: String?

  /// Makes a session.
  public init(userID: String? = nil, sessionID: String? = nil) {
    self.userID = userID
    self.sessionID = sessionID
  }

  /// True where a user is logged in.
  public var isLoggedIn: Bool { userID != nil || sessionID != nil }
}
