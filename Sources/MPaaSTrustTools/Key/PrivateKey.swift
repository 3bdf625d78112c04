package import Crypto
import CryptoExtras
import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Any private key that the store keeps.
package enum PrivateKey: Sendable {
  case signing(SigningKey)
  /// The key that opens files encrypted to an age recipient.
  case age(Curve25519.KeyAgreement.PrivateKey)

  /// Makes a new key.
  ///
  /// - Throws: `TrustError` `key-generation-failed`.
  package static func generate(_ kind: KeyKind) throws(TrustError) -> PrivateKey {
    guard let scheme = kind.scheme else { return .age(Curve25519.KeyAgreement.PrivateKey()) }
    return .signing(try SigningKey.generate(scheme))
  }

  package var publicKey: PublicKey {
    switch self {
    case .signing(let key): .signing(key.verificationKey)
    case .age(let key): .age(key.publicKey.rawRepresentation)
    }
  }

  package var kind: KeyKind { publicKey.kind }

  /// The key that signs.
  ///
  /// - Throws: `TrustError` `key-does-not-sign`.
  package func signingKey() throws(TrustError) -> SigningKey {
    guard case .signing(let key) = self else { throw TrustError(.keyDoesNotSign) }
    return key
  }
}

// MARK: PKCS#8

extension PrivateKey {
  /// The key as PKCS#8 in DER (RFC 5208; RFC 8410 section 7 for the keys of Curve25519).
  package var pkcs8: Data {
    switch self {
    case .signing(let key):
      switch key.material {
      case .ed25519(let key): Self.curve25519Prefix(0x70) + key.rawRepresentation
      case .p256(let key): key.derRepresentation
      case .rsa(let key): key.pkcs8DERRepresentation
      }
    case .age(let key): Self.curve25519Prefix(0x6e) + key.rawRepresentation
    }
  }

  /// The key in PEM, unencrypted, as OpenSSL reads it.
  package var pem: String { PEMBlock(label: "PRIVATE KEY", der: pkcs8).text }

  /// Reads an unencrypted private key: PKCS#8, or what OpenSSL wrote before it (RFC 5915 for P-256, RFC 8017 for RSA).
  ///
  /// - Throws: `TrustError` `pem-malformed`, `private-key-malformed`, `key-rsa-too-small`.
  package init(pem text: String) throws(TrustError) {
    let labels = ["PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY"]
    guard let block = try PEMBlock.blocks(in: text).first(where: { labels.contains($0.label) }) else {
      throw TrustError(.privateKeyMalformed)
    }
    try self.init(block)
  }

  init(_ block: PEMBlock) throws(TrustError) {
    if block.label == "PRIVATE KEY", let key = try PrivateKey(curve25519: block.der) {
      self = key
    } else if let key = try? P256.Signing.PrivateKey(pemRepresentation: block.text) {
      self = .signing(try SigningKey(.p256(key)))
    } else if let key = try? _RSA.Signing.PrivateKey(unsafePEMRepresentation: block.text) {
      self = .signing(try SigningKey(.rsa(key)))
    } else {
      throw TrustError(.privateKeyMalformed)
    }
  }

  /// Reads a key of Ed25519 or X25519; nil where the DER is another kind.
  ///
  /// Version 1 may have the public key behind the private one (RFC 8410 section 10.3), which then must belong to it.
  private init?(curve25519 der: Data) throws(TrustError) {
    let bytes = Array(der)
    guard bytes.count >= 48, bytes[0] == 0x30, Int(bytes[1]) == bytes.count - 2, bytes[2...3] == [0x02, 0x01],
      bytes[5...10] == [0x30, 0x05, 0x06, 0x03, 0x2b, 0x65]
    else { return nil }
    guard bytes[4] <= 1, bytes[12...15] == [0x04, 0x22, 0x04, 0x20], bytes[4] == 1 || bytes.count == 48 else {
      throw TrustError(.privateKeyMalformed)
    }
    switch bytes[11] {
    case 0x70:
      guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes[16..<48]) else {
        throw TrustError(.privateKeyMalformed)
      }
      self = .signing(try SigningKey(.ed25519(key)))
    case 0x6e:
      guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes[16..<48]) else {
        throw TrustError(.privateKeyMalformed)
      }
      self = .age(key)
    default: return nil
    }
    guard bytes.count == 48 || bytes.suffix(32).elementsEqual(publicBytes) else {
      throw TrustError(.privateKeyMalformed)
    }
  }

  /// The 32 bytes of a key of Curve25519, else the SubjectPublicKeyInfo.
  package var publicBytes: Data {
    switch publicKey {
    case .signing(let key): key.bytes
    case .age(let bytes): bytes
    }
  }

  private static func curve25519Prefix(_ algorithm: UInt8) -> Data {
    Data([
      0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, algorithm, 0x04, 0x22, 0x04, 0x20,
    ])
  }
}

extension TrustError.Code {
  package static let privateKeyMalformed = malformed("private-key-malformed")
}
