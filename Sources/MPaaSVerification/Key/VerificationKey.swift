import MPaaSDigests
package import MPaaSSupport

#if canImport(CryptoKit)
  package import CryptoKit
#else
  package import Crypto
#endif

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A public key that signatures are checked with.
public struct VerificationKey: Sendable, Hashable {
  /// The scheme of the signatures that the key checks.
  public let scheme: SignatureScheme
  /// The key: 32 bytes of Ed25519, else the SubjectPublicKeyInfo in DER.
  package let bytes: Data

  /// Takes the 32 bytes of an Ed25519 key.
  ///
  /// - Throws: `TrustError` `key-malformed`.
  public init(ed25519 bytes: some ContiguousBytes) throws(TrustError) {
    let key = Data(bytes.withUnsafeBytes { Array($0) })
    guard Ed25519Encoding.isPoint(key), (try? Curve25519.Signing.PublicKey(rawRepresentation: key)) != nil else {
      throw TrustError(.keyMalformed, ["kind": "Ed25519"])
    }
    scheme = .ed25519
    self.bytes = key
  }

  /// Takes a key of P-256 in PEM or DER (SubjectPublicKeyInfo, RFC 5480).
  ///
  /// - Throws: `TrustError` `key-malformed`.
  package init(p256 key: P256.Signing.PublicKey) {
    scheme = .ecdsaP256
    bytes = key.derRepresentation
  }

  /// Takes an RSA key of at least 2048 bits.
  ///
  /// - Throws: `TrustError` `key-rsa-too-small`.
  package init(rsa key: RSAVerificationKey) throws(TrustError) {
    guard key.sizeInBits >= 2048 else { throw TrustError(.rsaTooSmall, ["bits": String(key.sizeInBits)]) }
    scheme = .rsaPSS
    bytes = key.subjectPublicKeyInfo
  }

  /// Tells whether `signature` is one over `message` by this key; a malformed signature is none.
  public func verifies(_ signature: some DataProtocol, of message: some DataProtocol) -> Bool {
    switch scheme {
    case .ed25519:
      guard isCanonical(Data(signature)), let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else {
        return false
      }
      return key.isValidSignature(signature, for: message)
    case .ecdsaP256:
      guard isCanonical(Data(signature)), let key = try? P256.Signing.PublicKey(derRepresentation: bytes),
        let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
      else { return false }
      return key.isValidSignature(signature, for: message)
    case .rsaPSS:
      return RSAVerificationKey(subjectPublicKeyInfo: bytes)?.verifies(Data(signature), of: message) ?? false
    }
  }
}

extension VerificationKey {
  /// The key as TUF metadata and the kit's own files hold it: `keytype`, `scheme`, and the public value in hex or PEM.
  package var metadata: JSONValue {
    [
      "keytype": .string(scheme.keyType), "scheme": .string(scheme.rawValue),
      "keyval": ["public": .string(scheme == .ed25519 ? bytes.hexadecimal : pem)],
    ]
  }

  /// SHA-256 of the canonical form of `metadata` in hex, as python-tuf and securesystemslib name keys.
  package var keyID: String {
    // Metadata of a key has only strings: it always has a canonical form.
    guard let text = try? metadata.canonical() else { return "" }
    return text.sha256.hexadecimal
  }

  /// The SubjectPublicKeyInfo in PEM, as OpenSSL reads it.
  package var pem: String { PEMBlock(label: "PUBLIC KEY", der: subjectPublicKeyInfo).text }

  /// The SubjectPublicKeyInfo in DER (RFC 5280; RFC 8410 section 4 for Ed25519).
  package var subjectPublicKeyInfo: Data { scheme == .ed25519 ? Self.ed25519Prefix + bytes : bytes }

  /// The bytes before the 32 bytes in the SubjectPublicKeyInfo of an Ed25519 key (RFC 8410 section 4).
  static let ed25519Prefix = Data([0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00])

  /// Reads a public key as `mpaas key export --public` and OpenSSL write it: a SubjectPublicKeyInfo in PEM, of any of
  /// the three kinds.
  ///
  /// - Throws: `TrustError` `key-malformed`, `key-rsa-too-small`.
  public init(pem text: String) throws(TrustError) {
    if let key = try? P256.Signing.PublicKey(pemRepresentation: text) {
      self.init(p256: key)
    } else if let key = RSAVerificationKey(pem: text) {
      try self.init(rsa: key)
    } else {
      let body = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }.joined()
      guard text.has("-----BEGIN PUBLIC KEY-----"), let der = Data(base64Encoded: body),
        der.starts(with: Self.ed25519Prefix)
      else { throw TrustError(.keyMalformed, ["kind": "PEM"]) }
      try self.init(ed25519: der.dropFirst(Self.ed25519Prefix.count))
    }
  }

  /// Reads a key as TUF metadata holds it.
  ///
  /// - Throws: `TrustError` `key-malformed`, `key-scheme-mismatch` where type and scheme do not belong together,
  ///   `key-rsa-too-small`.
  package init(metadata: JSONValue) throws(TrustError) {
    guard let type = metadata.object?["keytype"]?.string, let name = metadata.object?["scheme"]?.string,
      let value = metadata.object?["keyval"]?.object?["public"]?.string
    else { throw TrustError(.keyMalformed, ["kind": "JSON"]) }
    let accepted = type == "ecdsa-sha2-nistp256" ? "ecdsa" : type
    guard let scheme = SignatureScheme(rawValue: name), scheme.keyType == accepted else {
      throw TrustError(.schemeMismatch, ["type": type, "scheme": name])
    }
    if scheme == .ed25519 {
      guard let bytes = Data(hexadecimal: value) else { throw TrustError(.keyMalformed, ["kind": "Ed25519"]) }
      try self.init(ed25519: bytes)
    } else {
      try self.init(pem: value)
      guard self.scheme == scheme else { throw TrustError(.schemeMismatch, ["type": type, "scheme": name]) }
    }
  }
}

extension TrustError.Code {
  package static let keyMalformed = malformed("key-malformed")
  package static let rsaTooSmall = refused("key-rsa-too-small")
  package static let schemeMismatch = refused("key-scheme-mismatch")
}
