import Crypto
import CryptoExtras
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The content of a picture: the pairs, encrypted so that they open for one bundle identifier only.
///
/// `mPKP`, version 1, flags (bit 0: a passphrase is needed too), 32 bytes of salt, then the pairs under
/// ChaCha20-Poly1305 (RFC 8439) with everything before them as additional data. The key is HKDF-SHA256 (RFC 5869) of
/// the bundle identifier, behind scrypt's 32 bytes of the passphrase where there is one; the salt makes each key
/// unique, so the nonce is zero.
package enum PicturePayload {
  private static let magic = Array("mPKP".utf8)
  private static let version: UInt8 = 1
  private static let saltSize = 32
  private static let headerSize = 6 + saltSize
  private static let tagSize = 16
  /// scrypt's N for a passphrase; 32 MiB, about a tenth of a second: an app waits for it when it starts.
  private static let rounds = 1 << 15

  package static func seal(
    _ pairs: KeyPairs, bundleIdentifier: String, passphrase: SecretBytes?
  ) throws(TrustError) -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    let salt = (0..<saltSize).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let header = magic + [version, passphrase == nil ? 0 : 1] + salt
    let key = try key(bundleIdentifier, passphrase, salt)
    var plain = pairs.encoded
    defer { SecretBytes.wipe(&plain) }
    do {
      let box = try ChaChaPoly.seal(plain, using: key, nonce: zeroNonce(), authenticating: header)
      return header + box.ciphertext + box.tag
    } catch {
      throw TrustError(.keyPictureDamaged)
    }
  }

  static func needsPassphrase(_ payload: UnsafeRawBufferPointer) -> Bool {
    payload.count > 5 && payload[5] == 1
  }

  /// The written form of the pairs.
  ///
  /// - Throws: `TrustError` `key-picture-damaged`, `key-picture-passphrase`, `key-picture-closed`.
  static func open(
    _ payload: UnsafeRawBufferPointer, bundleIdentifier: String, passphrase: SecretBytes?
  ) throws(TrustError) -> SecretBytes {
    guard payload.count >= headerSize + tagSize, payload.starts(with: magic), payload[4] == version, payload[5] <= 1
    else { throw TrustError(.keyPictureDamaged) }
    guard payload[5] == 0 || passphrase != nil else { throw TrustError(.keyPicturePassphrase) }
    let header = payload[..<headerSize]
    let key = try key(bundleIdentifier, payload[5] == 0 ? nil : passphrase, header.dropFirst(6))
    do {
      let box = try ChaChaPoly.SealedBox(
        nonce: zeroNonce(), ciphertext: payload[headerSize..<payload.count - tagSize], tag: payload.suffix(tagSize))
      var plain = Array(try ChaChaPoly.open(box, using: key, authenticating: Data(header)))
      defer { SecretBytes.wipe(&plain) }
      return plain.withUnsafeBytes { SecretBytes(copying: $0) }
    } catch {
      throw TrustError(.keyPictureClosed, ["bundle": bundleIdentifier])
    }
  }

  private static func zeroNonce() throws -> ChaChaPoly.Nonce { try .init(data: [UInt8](repeating: 0, count: 12)) }

  private static func key(
    _ bundleIdentifier: String, _ passphrase: SecretBytes?, _ salt: some Collection<UInt8>
  ) throws(TrustError) -> SymmetricKey {
    guard !bundleIdentifier.isEmpty else { throw TrustError(.keyPictureBundle) }
    var material: [UInt8] = []
    defer { SecretBytes.wipe(&material) }
    if let passphrase {
      do {
        let stretched = try passphrase.withUnsafeBytes { bytes in
          try KDF.Scrypt.deriveKey(
            from: Data(bytes), salt: Data(salt), outputByteCount: 32, rounds: rounds, blockSize: 8, parallelism: 1)
        }
        stretched.withUnsafeBytes { material += $0 }
      } catch {
        throw TrustError(.keyPictureDamaged)
      }
    }
    material += bundleIdentifier.utf8
    let info = Array("mpaas-key-picture/1".utf8) + [passphrase == nil ? 0 : 1]
    return HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: material), salt: Data(salt), info: info, outputByteCount: 32)
  }
}

extension TrustError.Code {
  package static let keyPictureClosed = refused("key-picture-closed")
  package static let keyPicturePassphrase = TrustError.Code("key-picture-passphrase", exit: .usage)
  package static let keyPictureBundle = TrustError.Code("key-picture-bundle", exit: .usage)
}
