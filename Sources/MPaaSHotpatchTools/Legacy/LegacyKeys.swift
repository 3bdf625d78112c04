import Crypto
import CryptoExtras
package import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The one AES key that old apps carry.
package struct LegacyAESKey: Sendable {
  private let key: SymmetricKey

  /// Reads 32 hex digits.
  ///
  /// - Throws: `TrustError` `legacy-aes-key`.
  package init(hexadecimal text: String) throws(TrustError) {
    guard let bytes = Data(hexadecimal: text), bytes.count == 16 else { throw TrustError(.legacyAESKey) }
    key = SymmetricKey(data: bytes)
  }

  func encrypt(_ bytes: [UInt8]) throws(TrustError) -> [UInt8] {
    do {
      return Array(try AES._CBC.encrypt(bytes, using: key, iv: Self.zeros()))
    } catch {
      throw TrustError(.legacyAESKey)
    }
  }

  /// Decrypts and takes off PKCS#7 (RFC 5652 section 6.3), every byte of which is checked.
  ///
  /// - Parameter name: What is decrypted, for errors.
  /// - Throws: `TrustError` `legacy-padding`.
  func decrypt(_ bytes: [UInt8], of name: String) throws(TrustError) -> [UInt8] {
    guard !bytes.isEmpty, bytes.count.isMultiple(of: 16),
      let plain = try? AES._CBC.decrypt(bytes, using: key, iv: Self.zeros(), noPadding: true),
      let last = plain.last, (1...16).contains(last), plain.suffix(Int(last)).allSatisfy({ $0 == last })
    else { throw TrustError(.legacyPadding, ["name": name]) }
    return Array(plain.dropLast(Int(last)))
  }

  private static func zeros() throws -> AES._CBC.IV { try AES._CBC.IV(ivBytes: [UInt8](repeating: 0, count: 16)) }
}

/// The RSA key that checks old scripts.
package struct LegacyPublicKey: Sendable {
  private let key: _RSA.Signing.PublicKey

  /// Reads a SubjectPublicKeyInfo or an RSAPublicKey in PEM.
  ///
  /// - Throws: `TrustError` `key-malformed`, `key-rsa-too-small`.
  package init(pem text: String) throws(TrustError) {
    guard let key = try? _RSA.Signing.PublicKey(unsafePEMRepresentation: text) else {
      throw TrustError(.keyMalformed, ["kind": "RSA"])
    }
    try LegacyPublicKey.check(bits: key.keySizeInBits)
    self.key = key
  }

  /// Takes a key of the kit; nil where it is not RSA.
  package init?(_ key: VerificationKey) {
    guard key.scheme == .rsaPSS, let own = try? LegacyPublicKey(pem: key.pem) else { return nil }
    self = own
  }

  fileprivate init(_ key: _RSA.Signing.PublicKey) {
    self.key = key
  }

  /// Bytes of the modulus, and so of every signature.
  package var signatureSize: Int { (key.keySizeInBits + 7) / 8 }
  package var pem: String { key.pemRepresentation }

  func verifies(_ signature: Slice<UnsafeRawBufferPointer>, of message: [UInt8]) -> Bool {
    let signature = _RSA.Signing.RSASignature(rawRepresentation: Data(signature))
    let digest = Insecure.SHA1.hash(data: message)
    return key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
  }

  static func check(bits: Int) throws(TrustError) {
    guard bits >= 2048 else { throw TrustError(.rsaTooSmall, ["bits": String(bits)]) }
  }
}

/// The RSA key that signs old scripts.
package struct LegacyPrivateKey: Sendable {
  private let key: _RSA.Signing.PrivateKey

  /// Reads PKCS#8 or RSAPrivateKey in PEM, unencrypted.
  ///
  /// - Throws: `TrustError` `key-malformed`, `key-rsa-too-small`.
  package init(pem text: String) throws(TrustError) {
    guard let key = try? _RSA.Signing.PrivateKey(unsafePEMRepresentation: text) else {
      throw TrustError(.keyMalformed, ["kind": "RSA"])
    }
    try LegacyPublicKey.check(bits: key.keySizeInBits)
    self.key = key
  }

  package var publicKey: LegacyPublicKey { LegacyPublicKey(key.publicKey) }

  func sign(_ message: [UInt8]) throws(TrustError) -> [UInt8] {
    do {
      let digest = Insecure.SHA1.hash(data: message)
      return Array(try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
    } catch {
      throw TrustError(.signingFailed)
    }
  }
}
