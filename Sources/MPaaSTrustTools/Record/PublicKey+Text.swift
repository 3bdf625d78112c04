import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PublicKey {
  /// The key as records keep it: PEM, or `age1…`.
  package var text: String {
    switch self {
    case .signing(let key): key.pem
    // 32 bytes that were a key always are one again.
    case .age: (try? recipient())?.text ?? ""
    }
  }

  /// Reads a public key in PEM, or `age1…`.
  ///
  /// - Throws: `TrustError` `pem-malformed`, `key-malformed`, `key-rsa-too-small`, `age-key-malformed`.
  package init(text: String) throws(TrustError) {
    if text.hasPrefix("age1") {
      self = .age(Data(try AgeRecipient(text.trimmed).bytes ?? []))
      return
    }
    guard let block = try PEMBlock.blocks(in: text).first(where: { $0.label == "PUBLIC KEY" }) else {
      throw TrustError(.keyMalformed, ["kind": "PEM"])
    }
    if block.der.starts(with: Self.x25519Prefix), block.der.count == 44 {
      self = .age(Data(block.der.suffix(32)))
    } else {
      self = .signing(try VerificationKey(pem: block.text))
    }
  }

  /// The bytes before the 32 bytes in the SubjectPublicKeyInfo of an X25519 key (RFC 8410 section 4).
  static let x25519Prefix = Data([
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x6e, 0x03, 0x21, 0x00,
  ])
}

extension String {
  /// The text without white space at its ends.
  var trimmed: String {
    let start = drop { $0.isWhitespace }
    return String(start[..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)])
  }
}
