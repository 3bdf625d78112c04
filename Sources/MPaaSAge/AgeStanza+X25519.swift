import MPaaSSupport

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file key wrapped for a key pair (age-encryption.org/v1, section "The X25519 recipient type").
extension AgeHeader.Stanza {
  private static let label = "age-encryption.org/v1/X25519"

  /// - Parameter ephemeral: A key pair that is used for this stanza only.
  init(
    _ fileKey: SymmetricKey, for recipient: Curve25519.KeyAgreement.PublicKey,
    ephemeral: Curve25519.KeyAgreement.PrivateKey
  ) throws(TrustError) {
    let share = ephemeral.publicKey.rawRepresentation
    guard let key = Self.wrapKey(ephemeral, recipient, salt: share + recipient.rawRepresentation),
      let body = AgeCipher.wrap(fileKey, by: key)
    else { throw TrustError(.ageKeyMalformed, ["kind": "age1…"]) }
    self.init(arguments: ["X25519", Base64.encode(share, isPadded: false)], body: body)
  }

  /// The file key; nil where the stanza is for somebody else.
  func fileKey(for identity: Curve25519.KeyAgreement.PrivateKey) throws(TrustError) -> SymmetricKey? {
    guard arguments.count == 2, body.count == 32, let share = Base64.decode(arguments[1].utf8, isPadded: false),
      let other = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: share),
      let key = Self.wrapKey(identity, other, salt: Data(share) + identity.publicKey.rawRepresentation)
    else { throw TrustError(.ageHeaderMalformed, ["place": "X25519"]) }
    return AgeCipher.unwrap(body, by: key)
  }

  /// The key that wraps the file key; nil where the other's point has a small order, so that there is no secret.
  private static func wrapKey(
    _ own: Curve25519.KeyAgreement.PrivateKey, _ other: Curve25519.KeyAgreement.PublicKey, salt: Data
  ) -> SymmetricKey? {
    // RFC 7748 section 6.1: all zeros mean a point of small order. Not every library refuses by itself.
    guard let secret = try? own.sharedSecretFromKeyAgreement(with: other),
      secret.withUnsafeBytes({ bytes in bytes.contains { $0 != 0 } })
    else { return nil }
    return secret.hkdfDerivedSymmetricKey(
      using: SHA256.self, salt: salt, sharedInfo: Array(label.utf8), outputByteCount: 32)
  }
}
