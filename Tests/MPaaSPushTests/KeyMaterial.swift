import Crypto
import CryptoExtras
import Foundation

extension DoubleBench {
  /// A new private key of a team in PEM.
  static func newKey() -> String { P256.Signing.PrivateKey().pemRepresentation }

  /// A new key of a service account, private and public, in PEM.
  static func newAccountKey() throws -> (secret: String, open: String) {
    let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    return (key.pkcs8PEMRepresentation, key.publicKey.pemRepresentation)
  }
}
