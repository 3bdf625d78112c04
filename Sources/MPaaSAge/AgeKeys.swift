import MPaaSSupport

#if canImport(CryptoKit)
  package import CryptoKit
#else
  package import Crypto
#endif

/// A reader that a file is encrypted to.
public struct AgeRecipient: Sendable {
  package enum Kind: Sendable {
    case x25519(Curve25519.KeyAgreement.PublicKey)
    case secret(any AgeSecretWrapping)
  }

  package let kind: Kind

  package init(_ kind: Kind) {
    self.kind = kind
  }

  /// Reads `age1…`.
  ///
  /// - Throws: `TrustError` `age-key-malformed`.
  public init(_ text: String) throws(TrustError) {
    guard let bytes = Bech32.decode(text, name: "age"),
      let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes)
    else { throw TrustError(.ageKeyMalformed, ["kind": "age1…"]) }
    kind = .x25519(key)
  }

  /// `age1…`; nil where it is a passphrase.
  public var text: String? {
    guard case .x25519(let key) = kind else { return nil }
    return Bech32.encode(Array(key.rawRepresentation), name: "age")
  }

  /// The 32 bytes of the public key; nil where it is a passphrase.
  package var bytes: [UInt8]? {
    guard case .x25519(let key) = kind else { return nil }
    return Array(key.rawRepresentation)
  }
}

/// The secret that a file is decrypted with.
public struct AgeIdentity: Sendable {
  package enum Kind: Sendable {
    case x25519(Curve25519.KeyAgreement.PrivateKey)
    case secret(any AgeSecretUnwrapping)
  }

  package let kind: Kind

  package init(_ kind: Kind) {
    self.kind = kind
  }

  /// Makes a new key.
  public static func generate() -> AgeIdentity {
    AgeIdentity(.x25519(Curve25519.KeyAgreement.PrivateKey()))
  }

  /// Reads `AGE-SECRET-KEY-1…`.
  ///
  /// - Throws: `TrustError` `age-key-malformed`.
  public init(_ text: String) throws(TrustError) {
    guard text == text.uppercased(), let bytes = Bech32.decode(text.lowercased(), name: "age-secret-key-"),
      let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes)
    else { throw TrustError(.ageKeyMalformed, ["kind": "AGE-SECRET-KEY-1…"]) }
    kind = .x25519(key)
  }

  /// `AGE-SECRET-KEY-1…`; nil where it is a passphrase.
  public var text: String? {
    guard case .x25519(let key) = kind else { return nil }
    return Bech32.encode(Array(key.rawRepresentation), name: "age-secret-key-").uppercased()
  }

  /// The key's public half; nil where it is a passphrase.
  public var recipient: AgeRecipient? {
    guard case .x25519(let key) = kind else { return nil }
    return AgeRecipient(.x25519(key.publicKey))
  }

  /// Reads an identity file: keys one a line, empty lines, and comments behind `#`.
  ///
  /// - Throws: `TrustError` `age-key-malformed`, also where there is no key at all.
  public static func list(reading text: String) throws(TrustError) -> [AgeIdentity] {
    var identities: [AgeIdentity] = []
    for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
      identities.append(try AgeIdentity(String(line)))
    }
    guard !identities.isEmpty else { throw TrustError(.ageKeyMalformed, ["kind": "AGE-SECRET-KEY-1…"]) }
    return identities
  }
}

extension TrustError.Code {
  package static let ageKeyMalformed = malformed("age-key-malformed")
}
