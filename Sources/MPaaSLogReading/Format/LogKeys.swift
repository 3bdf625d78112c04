import MPaaSLogs
import MPaaSSupport
package import MPaaSTrust
import Synchronization

/// The keys to encrypted logs: the identities of a team, and the secrets that they have unwrapped so far.
package final class LogKeys: Sendable {
  package let identities: [AgeIdentity]
  private let unwrapped = Mutex<[[UInt8]: LogSecret]>([:])

  /// - Parameter identities: None, where nothing is encrypted.
  package init(_ identities: [AgeIdentity] = []) {
    self.identities = identities
  }

  /// The secret that was wrapped; nil where it is for somebody else.
  func secret(_ wrapped: [UInt8]) -> LogSecret? {
    if let known = unwrapped.withLock({ $0[wrapped] }) { return known }
    let plain = wrapped.withUnsafeBytes { try? Age.decrypt($0, with: identities, limit: LogSecret.size) }
    guard let plain, plain.count == LogSecret.size else { return nil }
    let secret = LogSecret(plain)
    unwrapped.withLock { $0[wrapped] = secret }
    return secret
  }
}
