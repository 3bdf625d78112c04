import Crypto
import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A private key of minisign or signify.
package struct NumberedSigningKey: Sendable {
  /// 8 bytes at random.
  package let number: [UInt8]
  package let key: SigningKey
  /// The 32 bytes that the key is made of, and the public key behind them.
  let secret: [UInt8]

  /// Takes an Ed25519 key.
  ///
  /// - Parameter number: Made anew where none is given.
  /// - Throws: `TrustError` `key-scheme-mismatch` for other kinds of keys.
  package init(_ key: SigningKey, number: [UInt8]? = nil) throws(TrustError) {
    guard case .ed25519(let material) = key.material else {
      throw TrustError(
        .schemeMismatch, ["type": key.verificationKey.scheme.keyType, "scheme": SignatureScheme.ed25519.rawValue])
    }
    self.key = key
    self.number = number ?? (0..<8).map { _ in UInt8.random(in: 0...255) }
    secret = Array(material.rawRepresentation + material.publicKey.rawRepresentation)
  }

  /// Takes the 64 bytes that both programs keep; nil where the halves do not belong together.
  init?(number: some Sequence<UInt8>, secret: some Collection<UInt8>) {
    guard secret.count == 64,
      let material = try? Curve25519.Signing.PrivateKey(rawRepresentation: Data(secret.prefix(32))),
      material.publicKey.rawRepresentation.elementsEqual(secret.dropFirst(32)),
      let key = try? SigningKey(.ed25519(material))
    else { return nil }
    self.key = key
    self.number = Array(number)
    self.secret = Array(secret)
  }

  package var publicKey: NumberedKey { NumberedKey(number: number, key: key.verificationKey) }

  /// The signature over `message`, behind its algorithm and the key's number.
  func sign(_ message: UnsafeRawBufferPointer, algorithm: String) throws(TrustError) -> [UInt8] {
    Array(algorithm.utf8) + number + Array(try key.sign(message))
  }
}
