import MPaaSLock
package import MPaaSPush
import MPaaSSupport

/// The access token of a service account, which Google's server gives for an hour.
package final class FCMAccess: Sendable {
  package let account: FCMAccount
  private let trust: PushTrust
  private let now: @Sendable () -> Double
  private let current = Lock("")

  /// - Parameter now: Seconds since 1970.
  package init(_ account: FCMAccount, trust: PushTrust, now: @escaping @Sendable () -> Double) {
    self.account = account
    self.trust = trust
    self.now = now
  }

  /// The field `authorization`; without a token before the first `renew`.
  var authorization: String { current.withLock { "Bearer " + $0 } }

  /// Gets a new access token.
  ///
  /// - Throws: `push-access-refused`, and what the connection to the server throws.
  package func renew() async throws(PushError) {
    let request = try account.tokenRequest(at: Int(max(0, min(now(), 1e12))))
    let answer = try await SingleExchange.post(
      request, type: "application/x-www-form-urlencoded", to: PushAddress(account.tokenAddress), trust: trust)
    guard answer.status == 200, let token = answer.object?["access_token"]?.string, token.isHeaderText else {
      let reason = answer.object?["error"]?.string ?? "\(answer.status)"
      throw PushError(.accessRefused, ["account": account.email, "reason": reason])
    }
    current.withLock { $0 = token }
  }
}
