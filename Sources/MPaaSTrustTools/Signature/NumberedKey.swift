import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A public key of minisign or signify: an Ed25519 key with a number that files name it by.
///
/// Source: minisign's and signify's key files, which are the same: a comment, and base64 of `Ed`, 8 bytes of number and
/// the 32 bytes of the key.
package struct NumberedKey: Sendable, Equatable {
  /// 8 bytes at random.
  package let number: [UInt8]
  package let key: VerificationKey

  package init(number: [UInt8], key: VerificationKey) {
    self.number = number
    self.key = key
  }

  /// Reads a key file, or its second line alone, as minisign takes it on the command line.
  ///
  /// - Throws: `TrustError` `signature-file-malformed`, `key-malformed`.
  package init(reading text: some Collection<UInt8>) throws(TrustError) {
    var lines = try SignatureLines(text, tool: "minisign")
    if text.starts(with: SignatureLines.untrusted.utf8) { _ = try lines.comment(SignatureLines.untrusted) }
    let bytes = try lines.bytes(42, "Ed")
    try lines.end()
    number = Array(bytes.prefix(8))
    key = try VerificationKey(ed25519: Array(bytes.dropFirst(8)))
  }

  /// The number as minisign prints it: 16 hex digits, the last byte first.
  package var name: String { number.reversed().hexadecimal.uppercased() }

  package func text(comment: String) -> String {
    SignatureLines.text(comment, Array("Ed".utf8) + number + key.bytes)
  }

  /// Checks that a file names this key.
  func require(_ number: [UInt8]) throws(TrustError) {
    guard number == self.number else {
      let found = NumberedKey(number: number, key: key).name
      throw TrustError(.signatureOtherKey, ["expected": name, "found": found])
    }
  }

  /// Checks the 64 bytes of a signature.
  func verify(_ signature: [UInt8], of message: some DataProtocol) throws(TrustError) {
    guard key.isCanonical(.init(signature)) else { throw TrustError(.signatureNotCanonical, ["key": name]) }
    guard key.verifies(signature, of: message) else { throw TrustError(.signatureInvalid, ["key": name]) }
  }
}

extension TrustError.Code {
  package static let signatureOtherKey = refused("signature-other-key")
}
