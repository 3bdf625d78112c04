import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PublicKey {
  /// The key as records keep it: PEM.
  package var text: String {
    switch self {
    case .signing(let key): key.pem
    case .age(let bytes): PEMBlock(label: "PUBLIC KEY", der: Self.x25519Prefix + bytes).text
    }
  }

  /// Reads a public key in PEM.
  ///
  /// - Throws: `TrustError` `pem-malformed`, `key-malformed`, `key-rsa-too-small`.
  package init(text: String) throws(TrustError) {
    guard let block = try PEMBlock.blocks(in: text).first(where: { $0.label == "PUBLIC KEY" }) else {
      throw TrustError(.keyMalformed, ["kind": "PEM"])
    }
    if block.der.starts(with: Self.x25519Prefix), block.der.count == 44 {
      self = .age(Data(block.der.suffix(32)))
    } else {
      self = .signing(try VerificationKey(pem: block.text))
    }
  }

  /// What stands before the 32 bytes in the SubjectPublicKeyInfo of an X25519 key (RFC 8410 section 4).
  private static let x25519Prefix = Data([
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x6e, 0x03, 0x21, 0x00,
  ])
}
