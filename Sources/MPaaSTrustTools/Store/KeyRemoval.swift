import MPaaSTrust

/// A key that was taken away, or was kept when the user was asked.
package struct KeyRemoval: Sendable, Equatable {
  package let isRemoved: Bool
  /// The words of its fingerprint; empty for a key whose record is damaged.
  package let fingerprint: String
}

extension KeyStore {
  /// Takes a key away for good: an own one, or that of somebody else.
  ///
  /// - Parameters:
  ///   - isTrusted: Takes the key of somebody else where there are two of that name.
  ///   - confirm: Asks, before an own key goes, whether it shall; it is told the fingerprint.
  /// - Throws: `TrustError` `key-unknown`; what `confirm` throws.
  package func remove(
    _ name: String, isTrusted: Bool, confirm: (_ fingerprint: String) throws -> Bool
  ) throws -> KeyRemoval {
    let found = try? anyRecord(name, isTrusted: isTrusted)
    // The rest of a key whose record is damaged can be removed, too.
    let isOfOthers = found?.isTrusted ?? isTrusted
    let words = found?.record.publicKey.fingerprint.words ?? ""
    guard try isOfOthers || confirm(words) else { return KeyRemoval(isRemoved: false, fingerprint: words) }
    if isOfOthers { try removeTrusted(name) } else { try remove(name) }
    return KeyRemoval(isRemoved: true, fingerprint: words)
  }
}
