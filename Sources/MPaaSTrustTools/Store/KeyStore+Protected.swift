import MPaaSSupport
package import MPaaSTrust

/// The protection of a private half from now on: a passphrase, or none.
package enum KeyProtection {
  case none
  case passphrase(PassphraseSource)

  /// The passphrase of the new key `name`; nil without one.
  ///
  /// - Parameter index: How many passphrases were taken before by the same call.
  func secret(for name: String, at index: Int = 0) throws -> SecretBytes? {
    guard case .passphrase(let source) = self else { return nil }
    return try source.fresh(for: name, at: index)
  }
}

extension KeyStore {
  /// Makes a new key, whose passphrase is asked for once its name is known to be free.
  ///
  /// - Throws: `TrustError` as `generate`; what `use` and the passphrases throw.
  package func generate(
    _ name: String, _ kind: KeyKind, for use: KeyUse, _ protection: KeyProtection
  ) throws -> KeyRecord {
    try checkFree(name)
    let expires = try use.expires()
    return try generate(name, kind, roles: use.roles, expires: expires, passphrase: protection.secret(for: name))
  }

  /// Makes a successor of the own key `name`.
  ///
  /// - Parameters:
  ///   - successor: The new key's name; nil for the next free one.
  ///   - use: The end of its use; the roles are the old key's.
  ///   - opening: Gives the passphrase of the old key, where it has one.
  /// - Returns: As `rotate`, and whether the old key has a passphrase.
  package func rotate(
    _ name: String, to successor: String?, for use: KeyUse, opening: PassphraseSource, _ protection: KeyProtection
  ) throws -> (old: KeyRecord, new: KeyRecord, statement: String?, isOldEncrypted: Bool) {
    let next = successor ?? successorName(of: name)
    let expires = try use.expires()
    let sealed = try sealedKey(name)
    try checkFree(next)
    let secret = sealed.isEncrypted ? try opening.existing(for: name) : nil
    let fresh = try protection.secret(for: next, at: secret == nil ? 0 : 1)
    let rotated = try rotate(name, to: next, expires: expires, passphrase: secret, newPassphrase: fresh)
    return (rotated.old, rotated.new, rotated.statement, sealed.isEncrypted)
  }
}
