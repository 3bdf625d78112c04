package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension KeyRecord {
  /// The use that can be made of a key, or the reason against it.
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
