import Crypto
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The private key of a team, by which a provider shows APNs who it is.
package struct ProviderKey: Sendable {
  /// Ten letters and digits, which Apple gives the key.
  package let keyID: String
  /// Ten letters and digits, which Apple gives the team.
  package let teamID: String
  private let key: P256.Signing.PrivateKey

  /// Takes a key as Apple's site gives it: PKCS #8 in PEM, a file `AuthKey_….p8`.
  ///
  /// - Throws: `push-key-malformed`, and `push-key-name` for IDs that are none.
  package init(pem: String, keyID: String, teamID: String) throws(PushError) {
    for (name, value) in [("key", keyID), ("team", teamID)] where !Self.isID(value) {
      throw PushError(.keyName, ["name": name, "value": value])
    }
    guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else { throw PushError(.keyMalformed) }
    self.key = key
    self.keyID = keyID
    self.teamID = teamID
  }

  /// Tells whether a text has the form of Apple's IDs.
  package static func isID(_ text: String) -> Bool {
    text.utf8.count == 10 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) }
  }

  /// The public key in PEM, as a double of APNs is told it.
  package var publicPEM: String { key.publicKey.pemRepresentation }

  /// The token of a moment in seconds since 1970 (RFC 7518, section 3.4: the signature is r and s, 32 bytes each).
  package func token(issuedAt second: Int) throws(PushError) -> String {
    do {
      return try JSONWebToken.text(
        header: ["alg": "ES256", "kid": .string(keyID)],
        claims: ["iss": .string(teamID), "iat": JSONValue(second)]
      ) { Array(try key.signature(for: $0).rawRepresentation) }
    } catch {
      throw PushError(.keyMalformed)
    }
  }
}

/// The public key of a team, by which tokens are verified.
package struct ProviderPublicKey: Sendable {
  private let key: P256.Signing.PublicKey

  /// - Throws: `push-key-malformed` for what is no key of P-256 in PEM.
  package init(pem: String) throws(PushError) {
    guard let key = try? P256.Signing.PublicKey(pemRepresentation: pem) else { throw PushError(.keyMalformed) }
    self.key = key
  }

  /// Tells whether the key's owner signed the token.
  package func verifies(_ token: JSONWebToken) -> Bool {
    guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature) else { return false }
    return key.isValidSignature(signature, for: token.signed)
  }
}
