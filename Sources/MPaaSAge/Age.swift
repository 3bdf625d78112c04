/// Files encrypted in the format age-encryption.org/v1.
///
/// Nothing of a file is handed out before all of it was authenticated.
public enum Age {
  /// Encrypts for all `recipients`; a passphrase must be the only one.
  ///
  /// - Throws: `TrustError` `age-recipients`, `age-key-malformed`, `age-passphrase-empty`, `age-scrypt-not-allowed`.
  public static func encrypt(
    _ plaintext: UnsafeRawBufferPointer, to recipients: [AgeRecipient], armored: Bool = false
  ) throws(TrustError) -> [UInt8] {
    var encryption = try AgeEncryption(plaintext, to: recipients, armored: armored)
    var file: [UInt8] = []
    file.reserveCapacity(armored ? plaintext.count + plaintext.count / 2 : plaintext.count + plaintext.count / 1024)
    while let piece = try encryption.next() { file += piece }
    return file
  }

  /// Decrypts with the first of `identities` that fits.
  ///
  /// - Parameter limit: The most bytes that the plaintext may have.
  /// - Throws: `TrustError` `age-armor-malformed`, `age-header-malformed`, `age-no-identity`, `age-scrypt-not-allowed`,
  ///   `age-payload-broken`, `age-plaintext-too-long`.
  public static func decrypt(
    _ file: UnsafeRawBufferPointer, with identities: [AgeIdentity], limit: Int
  ) throws(TrustError) -> [UInt8] {
    var decryption = try AgeDecryption(file, with: identities, limit: limit)
    var plaintext: [UInt8] = []
    // A plaintext is never longer than its file.
    plaintext.reserveCapacity(min(file.count, max(limit, 0)))
    while let piece = try decryption.next() { plaintext += piece }
    return plaintext
  }
}
