import MPaaSLock

/// The right of a piece of work to count for a user: of who was signed in when it began, until somebody else signs in.
///
/// ```swift
/// let ticket = tree.ticket
/// let badges = try await server.badges()
/// tree.update(badges, for: ticket)  // nothing where another user has signed in meanwhile
/// ```
public struct UserTicket: Sendable, Hashable {
  /// The user; nil where none was signed in.
  public let userID: String?
  private let number: Int

  private static let last = AtomicInteger(0)

  /// Makes a ticket that equals no other.
  init(userID: String?) {
    self.userID = userID
    number = Self.last.add(1)
  }
}

/// The user who is signed in, and the session.
public struct UserSession: Sendable, Hashable {
  /// The user; nil after a log-out.
  public let userID: String?
  /// The ID of the user's session; nil where there is none.
  public let sessionID: String?
  /// The ticket of work for this user; a session that is renewed keeps it.
  public let ticket: UserTicket

  /// Tells whether two users are one, which is a matter of their bytes.
  static func isSame(_ first: String?, _ second: String?) -> Bool {
    switch (first, second) {
    case (nil, nil): true
    case (let first?, let second?): first.utf8.elementsEqual(second.utf8)
    default: false
    }
  }
}
