/// The way in which a signature is made and checked; the raw value is what TUF metadata calls the scheme.
public enum SignatureScheme: String, Sendable, CaseIterable {
  /// RFC 8032, pure Ed25519.
  case ed25519
  /// FIPS 186-5, P-256 with SHA-256; signatures in DER.
  case ecdsaP256 = "ecdsa-sha2-nistp256"
  /// RFC 8017 section 8.1, SHA-256, MGF1 with SHA-256; salts of 32 bytes are made, any length is accepted.
  case rsaPSS = "rsassa-pss-sha256"

  /// The name of the key's type in TUF metadata.
  package var keyType: String {
    switch self {
    case .ed25519: "ed25519"
    case .ecdsaP256: "ecdsa"
    case .rsaPSS: "rsa"
    }
  }
}
