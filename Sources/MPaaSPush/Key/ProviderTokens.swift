import MPaaSLock

/// The one token of a key in a process, shared by all connections.
///
/// APNs refuses tokens that are older than an hour, and senders that bring new ones more often than each 20 minutes.
package final class ProviderTokens: Sendable {
  private struct Current {
    var text = ""
    var authorization = ""
    var issued = -Double.infinity
  }

  /// Seconds after which a token is made anew by itself.
  static let age = 2400.0
  /// Seconds before which no token is made anew, whatever the server says.
  static let leastAge = 1200.0

  private let key: ProviderKey
  private let now: @Sendable () -> Double
  private let current = Lock(Current())

  /// - Parameter now: Seconds since 1970.
  package init(_ key: ProviderKey, now: @escaping @Sendable () -> Double) {
    self.key = key
    self.now = now
  }

  /// The token as of now.
  package func token() throws(PushError) -> String { try current(notOlderThan: Self.age).text }

  /// The field `authorization` as of now.
  package func authorization() throws(PushError) -> String { try current(notOlderThan: Self.age).authorization }

  /// Makes a new token after the server found the last one too old, unless that is less than 20 minutes old.
  package func renew() throws(PushError) { _ = try current(notOlderThan: Self.leastAge) }

  private func current(notOlderThan age: Double) throws(PushError) -> Current {
    let now = now()
    return try current.withLock { current throws(PushError) in
      // A clock that was put back counts as a token that is too old.
      if now - current.issued >= age || now < current.issued {
        current.text = try key.token(issuedAt: Int(max(0, min(now, 1e12))))
        current.authorization = "bearer " + current.text
        current.issued = now
      }
      return current
    }
  }
}
