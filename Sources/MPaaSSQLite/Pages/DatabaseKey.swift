#if canImport(CryptoKit)
  import CryptoKit
#elseif canImport(Crypto)
  import Crypto
#endif

/// The 32 secret bytes that a database is encrypted with; the keys of its pages are derived from them.
package struct DatabaseKey: Sendable {
  /// The number of bytes.
  package static let size = 32
  private let master: SymmetricKey

  /// Takes 32 secret bytes; nil where there are more or less, and where there is no cipher.
  package init?(_ bytes: some Collection<UInt8>) {
    #if canImport(CryptoKit) || canImport(Crypto)
      guard bytes.count == Self.size else { return nil }
      master = SymmetricKey(data: Array(bytes))
    #else
      return nil
    #endif
  }

  /// A key for one purpose and one salt (HKDF-SHA256).
  func derived(_ purpose: Purpose, _ salt: [UInt8]) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: master, salt: salt, info: Array(purpose.rawValue.utf8), outputByteCount: Self.size)
  }

  /// The uses of derived keys.
  enum Purpose: String {
    case pages = "mpaas-db v1"
    /// Bytes by which a wrong key is told from damage.
    case check = "mpaas-db check v1"
    /// The key under which that of another generation lies while the database is encrypted anew.
    case wrap = "mpaas-db wrap v1"
  }
}
