import MPaaSSupport
import MPaaSVerification

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The key that requests are signed or checked with.
///
/// ```swift
/// let picture = try KeyPicture(contentsOf: path, bundleIdentifier: "com.example.shop")
/// let key = try RequestKey(secret: picture["gateway"] ?? "")
/// ```
public struct RequestKey: Sendable {
  enum Material: Sendable {
    case secret([UInt8])
    case rsaPrivate(RSASigningKey)
    /// The SubjectPublicKeyInfo of a key of RSA, in DER.
    case rsaPublic(Data)
  }

  let material: Material

  /// The smallest key of RSA that is taken, in bits.
  static let smallestRSA = 2048

  /// Takes a secret that both sides know.
  ///
  /// - Throws: `SigningError` `signing-secret-empty`.
  public init(secret: some Sequence<UInt8>) throws(SigningError) {
    let bytes = Array(secret)
    guard !bytes.isEmpty else { throw SigningError(.secretEmpty) }
    material = .secret(bytes)
  }

  /// Takes a secret that both sides know, as the bytes of its text in UTF-8.
  ///
  /// - Throws: `SigningError` `signing-secret-empty`.
  public init(secret: String) throws(SigningError) {
    try self.init(secret: secret.utf8)
  }

  /// Takes a key of RSA in PEM: a private one (PKCS #8 or PKCS #1), which signs and checks, or a public one, which checks.
  ///
  /// - Throws: `SigningError` `signing-key-malformed`, `signing-key-too-small`.
  public init(pem text: String) throws(SigningError) {
    guard let block = (try? PEMBlock.blocks(in: text))?.first else { throw SigningError(.keyMalformed) }
    let size: Int
    switch block.label {
    case "PRIVATE KEY", "RSA PRIVATE KEY":
      guard let key = RSASigningKey(block) else { throw SigningError(.keyMalformed) }
      material = .rsaPrivate(key)
      size = key.sizeInBits
    case "PUBLIC KEY", "RSA PUBLIC KEY":
      guard let key = RSAVerificationKey(pem: block.text) else { throw SigningError(.keyMalformed) }
      material = .rsaPublic(key.subjectPublicKeyInfo)
      size = key.sizeInBits
    default: throw SigningError(.keyMalformed)
    }
    guard size >= Self.smallestRSA else {
      throw SigningError(.keyTooSmall, ["bits": String(size), "least": String(Self.smallestRSA)])
    }
  }

  /// The key's kind, for the texts of errors.
  var kind: String {
    switch material {
    case .secret: "secret"
    case .rsaPrivate: "rsa-private"
    case .rsaPublic: "rsa-public"
    }
  }
}
