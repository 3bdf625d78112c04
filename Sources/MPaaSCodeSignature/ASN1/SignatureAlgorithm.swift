import Crypto
import CryptoExtras
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A hash function of certificates and of CMS.
enum MessageHash: Sendable, Equatable {
  case sha1, sha256, sha384, sha512

  init?(identifier: String) {
    switch identifier {
    case "1.3.14.3.2.26": self = .sha1
    case "2.16.840.1.101.3.4.2.1": self = .sha256
    case "2.16.840.1.101.3.4.2.2": self = .sha384
    case "2.16.840.1.101.3.4.2.3": self = .sha512
    default: return nil
    }
  }

  func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let bytes = Array(bytes)
    return switch self {
    case .sha1: Array(Insecure.SHA1.hash(data: bytes))
    case .sha256: Array(SHA256.hash(data: bytes))
    case .sha384: Array(SHA384.hash(data: bytes))
    case .sha512: Array(SHA512.hash(data: bytes))
    }
  }
}

/// The way in which a signature was made: a key's kind, and a hash function.
struct SignatureAlgorithm: Sendable {
  enum Key: Sendable { case rsa, ellipticCurve }
  let key: Key
  let hash: MessageHash

  /// The algorithm that an identifier names.
  ///
  /// - Parameter hash: The one told beside it, for identifiers of a key alone.
  /// - Returns: nil for algorithms that are not verified here, RSA-PSS and EdDSA among them.
  init?(identifier: String, hash: MessageHash?) {
    let found: (Key, MessageHash?)
    switch identifier {
    case "1.2.840.113549.1.1.1": found = (.rsa, hash)
    case "1.2.840.113549.1.1.5": found = (.rsa, .sha1)
    case "1.2.840.113549.1.1.11": found = (.rsa, .sha256)
    case "1.2.840.113549.1.1.12": found = (.rsa, .sha384)
    case "1.2.840.113549.1.1.13": found = (.rsa, .sha512)
    case "1.2.840.10045.2.1": found = (.ellipticCurve, hash)
    case "1.2.840.10045.4.1": found = (.ellipticCurve, .sha1)
    case "1.2.840.10045.4.3.2": found = (.ellipticCurve, .sha256)
    case "1.2.840.10045.4.3.3": found = (.ellipticCurve, .sha384)
    case "1.2.840.10045.4.3.4": found = (.ellipticCurve, .sha512)
    default: return nil
    }
    guard let hash = found.1 else { return nil }
    (key, self.hash) = (found.0, hash)
  }

  /// Tells whether a signature over a message is one by the key of a SubjectPublicKeyInfo.
  func holds(_ signature: some Collection<UInt8>, of message: [UInt8], by subjectPublicKeyInfo: [UInt8]) -> Bool {
    switch hash {
    case .sha1: holds(Array(signature), Insecure.SHA1.hash(data: message), subjectPublicKeyInfo)
    case .sha256: holds(Array(signature), SHA256.hash(data: message), subjectPublicKeyInfo)
    case .sha384: holds(Array(signature), SHA384.hash(data: message), subjectPublicKeyInfo)
    case .sha512: holds(Array(signature), SHA512.hash(data: message), subjectPublicKeyInfo)
    }
  }

  private func holds(_ signature: [UInt8], _ digest: some Digest, _ key: [UInt8]) -> Bool {
    switch self.key {
    case .rsa:
      guard let key = try? _RSA.Signing.PublicKey(unsafeDERRepresentation: key) else { return false }
      return key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature), for: digest, padding: .insecurePKCS1v1_5)
    case .ellipticCurve:
      // The bytes tell the curve; those of others are refused.
      if let key = try? P256.Signing.PublicKey(derRepresentation: key) {
        let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
        return signature.map { key.isValidSignature($0, for: digest) } ?? false
      }
      if let key = try? P384.Signing.PublicKey(derRepresentation: key) {
        let signature = try? P384.Signing.ECDSASignature(derRepresentation: signature)
        return signature.map { key.isValidSignature($0, for: digest) } ?? false
      }
      return false
    }
  }
}
