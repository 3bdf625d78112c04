#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension KeyRecord {
  /// Whether a key may be used, and if not, why.
  package enum State: String, Sendable, Encodable {
    case good, revoked, expired, rotated
    /// Its private half is known to everybody.
    case published
  }

  package func state(at time: Date) -> State {
    if PublishedKeys.origin(of: publicKey) != nil { return .published }
    if let revoked, revoked <= time { return .revoked }
    if let expires, expires <= time { return .expired }
    return rotatedTo == nil ? .good : .rotated
  }
}
