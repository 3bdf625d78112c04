import Crypto
import CryptoExtras
import MPaaSSupport
package import MPaaSTrust
import SwiftASN1

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// PKCS#8 under a passphrase, as `openssl pkey` and `openssl pkcs8 -topk8` read and write it.
///
/// Source: RFC 5958 (EncryptedPrivateKeyInfo), RFC 8018 (PBES2, PBKDF2), RFC 7914 (scrypt).
enum EncryptedPKCS8 {
  static let label = "ENCRYPTED PRIVATE KEY"
  private static let rounds = 600_000
  private static let largestRounds = 10_000_000
  /// Bytes: scrypt's N times r times 128.
  private static let largestMemory = 1 << 30

  private enum Identifier {
    static let pbes2 = "2a864886f70d01050d"
    static let pbkdf2 = "2a864886f70d01050c"
    static let scrypt = "2b06010401da47040b"
    static let hashes: [String: KDF.Insecure.PBKDF2.HashFunction] = [
      "2a864886f70d0207": .insecureSHA1, "2a864886f70d0209": .sha256, "2a864886f70d020a": .sha384,
      "2a864886f70d020b": .sha512,
    ]
    static let hmacSHA256 = "2a864886f70d0209"
    /// AES in CBC mode with keys of so many bytes.
    static let ciphers = ["608648016503040102": 16, "608648016503040116": 24, aes256: 32]
    static let aes256 = "60864801650304012a"
  }

  // MARK: Reading

  /// The PKCS#8 inside.
  ///
  /// - Throws: `TrustError` `private-key-malformed`, `private-key-encryption`, `passphrase-wrong`.
  static func open(_ der: Data, passphrase: SecretBytes, name: String) throws(TrustError) -> PrivateKey {
    var plain = try decrypt(der, passphrase, name)
    defer { plain.withUnsafeMutableBytes { SecretBytes.wipe($0) } }
    do throws(TrustError) {
      return try PrivateKey(PEMBlock(label: "PRIVATE KEY", der: plain))
    } catch {
      // One wrong passphrase in 256 leaves padding that looks right.
      throw error.code == .privateKeyMalformed ? TrustError(.passphraseWrong, ["name": name]) : error
    }
  }

  private struct Parameters {
    var derivation: DERMembers
    var derivationIdentifier: String
    var keySize: Int
    var vector: Data
    var data: Data
  }

  private static func decrypt(_ der: Data, _ passphrase: SecretBytes, _ name: String) throws(TrustError) -> Data {
    let parameters: Parameters
    do {
      parameters = try Self.parameters(der)
    } catch {
      throw TrustError(.privateKeyMalformed)
    }
    let key = try Self.key(parameters, passphrase)
    guard let vector = try? AES._CBC.IV(ivBytes: parameters.vector),
      let plain = try? AES._CBC.decrypt(parameters.data, using: key, iv: vector)
    else { throw TrustError(.passphraseWrong, ["name": name]) }
    return plain
  }

  private static func parameters(_ der: Data) throws -> Parameters {
    var whole = try DERMembers(of: der)
    var algorithm = try whole.sequence()
    let scheme = try algorithm.identifier()
    guard scheme == Identifier.pbes2 else {
      return Parameters(
        derivation: algorithm, derivationIdentifier: scheme, keySize: 0, vector: Data(), data: Data())
    }
    var both = try algorithm.sequence()
    var derivation = try both.sequence()
    let derivationIdentifier = try derivation.identifier()
    var cipher = try both.sequence()
    let keySize = Identifier.ciphers[try cipher.identifier()] ?? 0
    let vector = keySize == 0 ? Data() : try cipher.octets()
    return Parameters(
      derivation: try derivation.sequence(), derivationIdentifier: derivationIdentifier, keySize: keySize,
      vector: vector, data: try whole.octets())
  }

  private static func key(_ parameters: Parameters, _ passphrase: SecretBytes) throws(TrustError) -> SymmetricKey {
    let unknown = TrustError(.privateKeyEncryption, ["algorithm": parameters.derivationIdentifier])
    guard parameters.keySize > 0 else { throw unknown }
    let key: SymmetricKey?
    do {
      switch parameters.derivationIdentifier {
      case Identifier.pbkdf2: key = try pbkdf2(parameters, passphrase)
      case Identifier.scrypt: key = try scrypt(parameters, passphrase)
      default: key = nil
      }
    } catch {
      throw TrustError(.privateKeyMalformed)
    }
    guard let key else { throw unknown }
    return key
  }

  private static func pbkdf2(_ parameters: Parameters, _ passphrase: SecretBytes) throws -> SymmetricKey? {
    var reader = parameters.derivation
    let salt = try reader.octets()
    let rounds = try reader.integer()
    if reader.isNext(.integer) { _ = try reader.integer() }
    var hash = KDF.Insecure.PBKDF2.HashFunction.insecureSHA1
    if reader.isNext(.sequence) {
      var function = try reader.sequence()
      guard let found = Identifier.hashes[try function.identifier()] else { return nil }
      hash = found
    }
    guard (1...largestRounds).contains(rounds) else { return nil }
    return passphrase.withUnsafeBytes { bytes in
      try? KDF.Insecure.PBKDF2.deriveKey(
        from: Data(bytes), salt: salt, using: hash, outputByteCount: parameters.keySize, unsafeUncheckedRounds: rounds)
    }
  }

  private static func scrypt(_ parameters: Parameters, _ passphrase: SecretBytes) throws -> SymmetricKey? {
    var reader = parameters.derivation
    let salt = try reader.octets()
    let rounds = try reader.integer(), blockSize = try reader.integer(), parallelism = try reader.integer()
    guard rounds > 1, rounds & (rounds - 1) == 0, (1...32).contains(blockSize), (1...16).contains(parallelism),
      rounds <= largestMemory / 128 / blockSize
    else { return nil }
    return passphrase.withUnsafeBytes { bytes in
      try? KDF.Scrypt.deriveKey(
        from: Data(bytes), salt: salt, outputByteCount: parameters.keySize, rounds: rounds, blockSize: blockSize,
        parallelism: parallelism)
    }
  }

  // MARK: Writing

  /// The key in PEM under PBKDF2 with HMAC-SHA-256 and AES-256-CBC, which every OpenSSL since 1.0 reads.
  static func text(of key: PrivateKey, passphrase: SecretBytes) throws(TrustError) -> String {
    let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
    let vector = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
    let secret = passphrase.withUnsafeBytes { bytes in
      try? KDF.Insecure.PBKDF2.deriveKey(
        from: Data(bytes), salt: salt, using: .sha256, outputByteCount: 32, rounds: rounds)
    }
    guard let secret, let iv = try? AES._CBC.IV(ivBytes: vector),
      let sealed = try? AES._CBC.encrypt(key.pkcs8, using: secret, iv: iv)
    else { throw TrustError(.encryptionFailed) }
    var whole = DER.Serializer()
    do {
      try write(salt: salt, vector: vector, sealed: sealed, to: &whole)
    } catch {
      throw TrustError(.encryptionFailed)
    }
    return PEMBlock(label: label, der: Data(whole.serializedBytes)).text
  }

  private static func write(salt: Data, vector: Data, sealed: Data, to whole: inout DER.Serializer) throws {
    try whole.sequence { whole in
      try whole.sequence { algorithm in
        algorithm.append(identifier: Identifier.pbes2)
        try algorithm.sequence { both in
          try both.sequence { derivation in
            derivation.append(identifier: Identifier.pbkdf2)
            try derivation.sequence { parameters in
              parameters.append(octets: salt)
              try parameters.serialize(rounds)
              try parameters.sequence { hash in
                hash.append(identifier: Identifier.hmacSHA256)
                try hash.serialize(ASN1Null())
              }
            }
          }
          both.sequence { cipher in
            cipher.append(identifier: Identifier.aes256)
            cipher.append(octets: vector)
          }
        }
      }
      whole.append(octets: sealed)
    }
  }
}

extension TrustError.Code {
  package static let privateKeyEncryption = malformed("private-key-encryption")
}
