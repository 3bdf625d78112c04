import MPaaSSupport
package import MPaaSVerification

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The keys whose signatures count, and the number of them that a bundle needs.
package struct TrustedSigners: Sendable {
  package struct Signer: Sendable {
    /// The name of the key for people: its name in the store, or the file that it came from.
    package let name: String
    package let key: VerificationKey
    /// The key store's record of it; nil where it is a key alone, which may sign for everybody.
    package let record: KeyRecord?

    package init(name: String, key: VerificationKey, record: KeyRecord? = nil) {
      self.name = name
      self.key = key
      self.record = record
    }
  }

  package var signers: [Signer]
  /// The number of distinct keys that have to have signed: 1 or more.
  package var threshold: Int

  package init(_ signers: [Signer], threshold: Int = 1) {
    self.signers = signers
    self.threshold = threshold
  }

  /// Takes keys alone, as an app has them built in.
  package init(keys: [VerificationKey], threshold: Int = 1) {
    self.init(keys.map { Signer(name: String($0.keyID.prefix(16)), key: $0) }, threshold: threshold)
  }

  /// Checks the signatures of an envelope: every one of them is by a key of these, under its own name, and there are
  /// enough.
  ///
  /// - Returns: Who signed, in the order of the signatures.
  /// - Throws: `TrustError` `trust-root-missing`, what `DSSEEnvelope.verifyNamed` throws.
  package func verify(_ envelope: DSSEEnvelope) throws(TrustError) -> [Signer] {
    guard !signers.isEmpty else { throw TrustError(.trustRootMissing) }
    let keys = try envelope.verifyNamed(by: signers.map(\.key), threshold: threshold)
    return keys.compactMap { key in signers.first { $0.key == key } }
  }

  /// Checks that each of `signed` may sign patches for this app and channel now.
  ///
  /// A key of the role `patches` signs for every app, one of `patches/com.example.shop` for that one, one of
  /// `patches/com.example.shop/beta` for that channel of it.
  ///
  /// - Throws: `TrustError` `key-published`, `key-revoked`, `key-expired`, `key-not-for-role`.
  package func check(
    _ signed: [Signer], app: String, channel: String, at time: Date
  ) throws(TrustError) {
    for signer in signed {
      let record = signer.record ?? KeyRecord(name: signer.name, publicKey: .signing(signer.key), created: time)
      try record.check(for: .patches(app: app, channel: channel), at: time)
    }
  }
}

extension KeyRole {
  /// The purpose that a key must have to sign patches of a channel of an app: `patches/com.example.shop/stable`.
  package static func patches(app: String, channel: String) -> KeyRole {
    // Roles have no capitals; a name too long for one is left to keys that sign for all apps.
    KeyRole(rawValue: "patches/\(app)/\(channel)".lowercased()) ?? .patches
  }
}

extension TrustError.Code {
  package static let trustRootMissing = refused("trust-root-missing")
}
