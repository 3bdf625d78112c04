import Crypto
import MPaaSDigests
import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A signature of OpenBSD's signify over a file.
///
/// Source: signify's signature format. A comment, and base64 of `Ed`, the key's number and the 64 bytes of the signature.
package struct SignifySignature: Sendable, Equatable {
  package let comment: String
  package let number: [UInt8]
  let signature: [UInt8]

  /// Tells a file of signify, which has two lines, from one of minisign, which has four.
  package static func isSignify(_ text: some Collection<UInt8>) -> Bool {
    text.split(separator: UInt8(ascii: "\n")).count <= 2
  }

  /// Reads a `.sig` file, checking nothing; one that holds its message too (`signify -e`) is refused.
  ///
  /// - Throws: `TrustError` `signature-file-malformed`.
  package init(reading text: some Collection<UInt8>) throws(TrustError) {
    var lines = try SignatureLines(text, tool: "signify")
    comment = try lines.comment(SignatureLines.untrusted)
    let bytes = try lines.bytes(74, "Ed")
    number = Array(bytes.prefix(8))
    signature = Array(bytes.suffix(64))
    try lines.end()
  }

  /// Signs a message.
  ///
  /// - Parameter comment: One line; signify writes `verify with NAME.pub`.
  package init(
    _ message: UnsafeRawBufferPointer, by key: NumberedSigningKey, comment: String
  ) throws(TrustError) {
    let bytes = try key.sign(message, algorithm: "Ed")
    try self.init(reading: SignatureLines.text(comment, bytes).utf8)
  }

  package var text: String { SignatureLines.text(comment, Array("Ed".utf8) + number + signature) }

  /// - Throws: `TrustError` `signature-other-key`, `signature-not-canonical`, `signature-invalid`.
  package func verify(_ message: UnsafeRawBufferPointer, by key: NumberedKey) throws(TrustError) {
    try key.require(number)
    try key.verify(signature, of: message)
  }
}

/// The private key files of signify that have no passphrase (`signify -G -n`).
///
/// Source: signify's secret key format. A comment, and base64 of: `Ed`, `BK`, 4 bytes of rounds (0 without encryption),
/// 16 of salt, the first 8 of the SHA-512 of the key, 8 of number, 64 of key.
package enum SignifySecretKey {
  /// - Throws: `TrustError` `signature-file-malformed`, `signify-key-encrypted`.
  package static func read(_ text: some Collection<UInt8>) throws(TrustError) -> NumberedSigningKey {
    var lines = try SignatureLines(text, tool: "signify")
    _ = try lines.comment(SignatureLines.untrusted)
    let bytes = try lines.bytes(104, "EdBK")
    try lines.end()
    guard bytes.prefix(4).allSatisfy({ $0 == 0 }) else { throw TrustError(.signifyKeyEncrypted) }
    let secret = bytes.suffix(64)
    guard bytes.dropFirst(20).starts(with: DigestAlgorithm.sha512.digest(of: secret).prefix(8)),
      let key = NumberedSigningKey(number: bytes.dropFirst(28).prefix(8), secret: secret)
    else { throw lines.error }
    return key
  }

  package static func text(_ key: NumberedSigningKey, comment: String) -> String {
    let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
    let head = Array("EdBK".utf8) + [0, 0, 0, 0] + salt + DigestAlgorithm.sha512.digest(of: key.secret).prefix(8)
    return SignatureLines.text(comment, head + key.number + key.secret)
  }
}

extension TrustError.Code {
  package static let signifyKeyEncrypted = malformed("signify-key-encrypted")
  package static let signifyNoPassphrase = TrustError.Code("signify-no-passphrase", exit: .usage)
}
