import MPaaSSupport

/// Secrets of an app by key: passwords, tokens.
///
/// On Apple's systems they lie in the system's keychain, and are read after the first time that the device was unlocked.
/// Elsewhere they lie in one file, `keychain.age`, that is encrypted by age for the key in `keychain.key` beside it; only
/// their owner may read either.
///
/// ```swift
/// let keychain = try Keychain(domain: "com.example.orderbook", folder: sandbox.library)
/// try keychain.write("secret", forKey: "token")
/// let token = try keychain.read("token")
/// ```
public struct Keychain: Sendable {
  /// The domain of calls that name none: an app, or a part of it.
  public let domain: String
  private let vault: any SecretVault

  /// Opens the keychain of an app.
  ///
  /// - Parameters:
  ///   - domain: The domain of calls that name none.
  ///   - folder: The folder of the file on systems without a keychain, which is made where it is missing.
  /// - Throws: `StorageError` where the folder cannot be made.
  public init(domain: String, folder: String) throws(StorageError) {
    #if canImport(ObjectiveC)
      self.init(domain: domain, vault: SystemVault())
    #else
      self.init(domain: domain, vault: try AgeVault(folder: folder))
    #endif
  }

  init(domain: String, vault: any SecretVault) {
    self.domain = domain
    self.vault = vault
  }

  /// The text of a key; nil where it has none.
  public func read(_ key: String, domain: String? = nil) throws(StorageError) -> String? {
    guard let bytes = try data(key, domain: domain) else { return nil }
    guard let text = String(validUTF8: bytes) else { throw StorageError(.valueMalformed, ["key": key]) }
    return text
  }

  /// The bytes of a key; nil where it has none.
  public func data(_ key: String, domain: String? = nil) throws(StorageError) -> [UInt8]? {
    try vault.read(key, domain ?? self.domain)
  }

  /// Stores a text, in the place of the one before.
  public func write(_ text: String, forKey key: String, domain: String? = nil) throws(StorageError) {
    try write(data: Array(text.utf8), forKey: key, domain: domain)
  }

  /// Stores bytes, in the place of those before.
  public func write(data bytes: [UInt8], forKey key: String, domain: String? = nil) throws(StorageError) {
    try vault.write(bytes, key, domain ?? self.domain)
  }

  /// Removes a key; one that has no value is fine.
  public func delete(_ key: String, domain: String? = nil) throws(StorageError) {
    try vault.delete(key, domain ?? self.domain)
  }

  /// The keys of a domain, sorted.
  public func keys(domain: String? = nil) throws(StorageError) -> [String] {
    try vault.keys(domain ?? self.domain).sorted()
  }
}

/// A place that secrets lie in, by domain and key.
protocol SecretVault: Sendable {
  func read(_ key: String, _ domain: String) throws(StorageError) -> [UInt8]?
  func write(_ bytes: [UInt8], _ key: String, _ domain: String) throws(StorageError)
  func delete(_ key: String, _ domain: String) throws(StorageError)
  func keys(_ domain: String) throws(StorageError) -> [String]
}

extension StorageError.Code {
  /// The file of a keychain cannot be decrypted, or is none.
  package static var keychainBroken: Self { StorageError.Code("keychain-broken", exit: .notPermitted) }
  /// The system's keychain refuses.
  package static var keychainRefused: Self { StorageError.Code("keychain-refused", exit: .notPermitted) }
}
