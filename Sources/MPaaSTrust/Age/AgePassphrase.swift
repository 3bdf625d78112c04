import Crypto

extension AgeRecipient {
  /// Anybody who knows a passphrase, which must not be empty; the only recipient of a file then.
  ///
  /// - Parameter workFactor: The base-2 logarithm of scrypt's N, which is 1 KiB of memory each: 1 to 22.
  public static func passphrase(_ passphrase: String, workFactor: Int = 18) -> AgeRecipient {
    AgeRecipient(.secret(AgePassphrase(text: passphrase, workFactor: workFactor)))
  }
}

extension AgeIdentity {
  /// A passphrase; files that ask for more work than `largestWorkFactor` (at most 22) are refused.
  public static func passphrase(_ passphrase: String, largestWorkFactor: Int = 22) -> AgeIdentity {
    AgeIdentity(
      .secret(AgePassphrase(text: passphrase, workFactor: min(largestWorkFactor, Scrypt.largestWorkFactor))))
  }
}

/// A passphrase, and how much work its key may take.
private struct AgePassphrase: AgeSecretWrapping, AgeSecretUnwrapping {
  let text: String
  let workFactor: Int

  func stanza(_ fileKey: SymmetricKey) throws(TrustError) -> AgeHeader.Stanza {
    try AgeHeader.Stanza(fileKey, passphrase: text, workFactor: workFactor)
  }

  func fileKey(of stanza: AgeHeader.Stanza) throws(TrustError) -> SymmetricKey? {
    try stanza.fileKey(for: text, largestWorkFactor: workFactor)
  }
}
