import MPaaSSupport

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The facts about a key besides its private half: what it may do, until when, and what came of it.
package struct KeyRecord: Sendable, Equatable {
  package let name: String
  package let publicKey: PublicKey
  /// Empty: the key may speak for every role.
  package var roles: [KeyRole]
  package let created: Date
  package var expires: Date?
  package var revoked: Date?
  /// The names of the key that this one follows, and of the one that follows it.
  package var rotatedFrom: String?
  package var rotatedTo: String?
  /// The 8 bytes that minisign calls the key by; nil for a key that did not come from there.
  package var number: [UInt8]?

  package init(
    name: String, publicKey: PublicKey, roles: [KeyRole] = [], created: Date, expires: Date? = nil,
    rotatedFrom: String? = nil
  ) {
    self.name = name
    self.publicKey = publicKey
    self.roles = roles
    self.created = created
    self.expires = expires
    self.rotatedFrom = rotatedFrom
  }

  /// Checks that the key may be used for `role` at `time`; nil asks for no role.
  ///
  /// - Throws: `TrustError` `key-published`, `key-revoked`, `key-expired`, `key-not-for-role`.
  package func check(for role: KeyRole?, at time: Date) throws(TrustError) {
    try PublishedKeys.refuse(publicKey)
    if let revoked, revoked <= time {
      throw TrustError(.keyRevoked, ["name": name, "time": MetadataTime.text(revoked)])
    }
    if let expires, expires <= time {
      throw TrustError(.keyExpired, ["name": name, "time": MetadataTime.text(expires)])
    }
    guard let role, !roles.isEmpty, !roles.contains(where: { $0.covers(role) }) else { return }
    let own = roles.map(\.rawValue).joined(separator: ", ")
    throw TrustError(.keyNotForRole, ["name": name, "role": role.rawValue, "roles": own])
  }
}

extension TrustError.Code {
  package static let keyRevoked = refused("key-revoked")
  package static let keyExpired = refused("key-expired")
  package static let keyNotForRole = refused("key-not-for-role")
}
