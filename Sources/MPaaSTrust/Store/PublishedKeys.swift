import MPaaSSupport

/// Keys whose private half anybody can look up: in a standard, in a test suite, in a tutorial. What they sign proves
/// nothing.
package enum PublishedKeys {
  /// Where the private half was published; nil for a key of which that is not known.
  package static func origin(of key: PublicKey) -> String? {
    origins[key.fingerprint.hexadecimal]
  }

  /// - Throws: `TrustError` `key-published`.
  package static func refuse(_ key: PublicKey) throws(TrustError) {
    guard let origin = origin(of: key) else { return }
    throw TrustError(.keyPublished, ["fingerprint": key.fingerprint.words, "origin": origin])
  }

  /// SHA-256 of the SubjectPublicKeyInfo (of an age key: of its 32 bytes), and where the private half stands.
  static let origins: [String: String] = [:]
}

extension TrustError.Code {
  package static let keyPublished = refused("key-published")
}
