/// The kind of a stored key, and so what it can do.
package enum KeyKind: String, Sendable, CaseIterable, Codable {
  case ed25519, p256, rsa
  /// X25519, which files are encrypted to; it signs nothing.
  case age

  /// The scheme of its signatures; nil where it does not.
  package var scheme: SignatureScheme? {
    switch self {
    case .ed25519: .ed25519
    case .p256: .ecdsaP256
    case .rsa: .rsaPSS
    case .age: nil
    }
  }

  package init(_ scheme: SignatureScheme) {
    switch scheme {
    case .ed25519: self = .ed25519
    case .ecdsaP256: self = .p256
    case .rsaPSS: self = .rsa
    }
  }
}
