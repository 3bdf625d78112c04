#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// The secrets that make two encryptions of the same plaintext differ: the file key, the nonce, and a key pair for each
/// recipient.
///
/// Random for every file, but where the same input is to give the same bytes; then they must depend, in a way that
/// others cannot compute, on all of the plaintext and all recipients.
package struct AgeSecrets: Sendable {
  let fileKey: SymmetricKey
  let nonce: [UInt8]
  let ephemeral: [Curve25519.KeyAgreement.PrivateKey]

  /// Takes 16 bytes of file key, 16 of nonce, and 32 for each recipient.
  ///
  /// - Throws: `TrustError` `age-recipients` where a size is another.
  package init(fileKey: [UInt8], nonce: [UInt8], ephemeral: [[UInt8]]) throws(TrustError) {
    guard fileKey.count == 16, nonce.count == AgeCipher.nonceSize else { throw TrustError(.ageRecipients) }
    self.fileKey = SymmetricKey(data: fileKey)
    self.nonce = nonce
    do {
      self.ephemeral = try ephemeral.map { try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0) }
    } catch {
      throw TrustError(.ageRecipients)
    }
  }

  /// Fresh ones.
  init(count: Int) {
    fileKey = SymmetricKey(size: .bits128)
    nonce = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
    ephemeral = (0..<count).map { _ in Curve25519.KeyAgreement.PrivateKey() }
  }
}

extension Age {
  /// Encrypts with secrets that were made elsewhere; every recipient must be a key.
  ///
  /// - Throws: `TrustError` `age-recipients`, `age-key-malformed`.
  package static func encrypt(
    _ plaintext: UnsafeRawBufferPointer, to recipients: [AgeRecipient], secrets: AgeSecrets
  ) throws(TrustError) -> [UInt8] {
    var encryption = try AgeEncryption(plaintext, to: recipients, armored: false, secrets: secrets)
    var file: [UInt8] = []
    file.reserveCapacity(plaintext.count + plaintext.count / 1024 + 1024)
    while let piece = try encryption.next() { file += piece }
    return file
  }
}
