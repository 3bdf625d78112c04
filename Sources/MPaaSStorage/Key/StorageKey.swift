import MPaaSAge
import MPaaSSupport

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// The 32 secret bytes that files are encrypted with; keys of files are derived from them.
public struct StorageKey: Sendable {
  /// The number of bytes.
  public static let size = 32
  private let secret: SecretBytes

  /// Creates a key of 32 secret bytes.
  ///
  /// - Throws: `StorageError` where there are not 32.
  public init(_ bytes: [UInt8]) throws(StorageError) {
    guard bytes.count == Self.size else { throw StorageError(.keyMalformed, ["count": "\(bytes.count)"]) }
    secret = bytes.withUnsafeBytes { SecretBytes(copying: $0) }
  }

  /// Derives a key from the secret that an app was given, whatever its length.
  ///
  /// - Parameter appKey: A secret of high entropy, not a passphrase: nothing slows down who tries them all.
  public init(appKey: String) {
    let key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: Array(appKey.utf8)), info: Array("mpaas-storage app v1".utf8),
      outputByteCount: Self.size)
    secret = key.withUnsafeBytes { SecretBytes(copying: $0) }
  }

  /// Makes a fresh key.
  public init() {
    secret = SymmetricKey(size: .bits256).withUnsafeBytes { SecretBytes(copying: $0) }
  }

  /// The 32 secret bytes of one purpose, such as the key of a `DAO`; the ones of another purpose tell nothing of them.
  public func bytes(for purpose: String) -> [UInt8] {
    derived("mpaas-storage purpose v1 " + purpose, salt: []).withUnsafeBytes { Array($0) }
  }

  /// A key for one purpose and one salt.
  func derived(_ purpose: String, salt: [UInt8]) -> SymmetricKey {
    secret.withUnsafeBytes { bytes in
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: bytes), salt: salt, info: Array(purpose.utf8),
        outputByteCount: Self.size)
    }
  }

  /// Hands the secret bytes to `body`, which must not keep them.
  package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    secret.withUnsafeBytes(body)
  }

  /// Writes the key for its owner alone, as hexadecimal digits; a file that is there stays.
  ///
  /// - Throws: `StorageError` where the file cannot be made.
  package func write(to path: String) throws(StorageError) {
    var digits = Array((secret.withUnsafeBytes { Array($0).hexadecimal } + "\n").utf8)
    defer { SecretBytes.wipe(&digits) }
    do throws(FileError) {
      guard FileStatus(path) == nil else { throw FileError(.create, path, .notPermitted) }
      try Bytes(digits).write(to: path, mode: 0o600)
      FileSystem.settle(FileSystem.folder(of: path))
    } catch { throw StorageError(error) }
  }
}

extension StorageKey {
  /// Reads the key of a file: 32 bytes, or 64 hexadecimal digits.
  ///
  /// - Parameters:
  ///   - path: The file of the key.
  ///   - makesIt: Whether a fresh key is written where the file is missing; only its owner can read it.
  /// - Throws: `StorageError` where the file cannot be read or is neither.
  public static func file(_ path: String, makesIt: Bool = false) throws(StorageError) -> StorageKey {
    if makesIt, FileStatus(path) == nil {
      let key = StorageKey()
      try key.write(to: path)
      return key
    }
    var bytes: [UInt8]
    do throws(FileError) { bytes = try Bytes.reading(path, limit: 4096).array } catch { throw StorageError(error) }
    defer { SecretBytes.wipe(&bytes) }
    if bytes.count == size { return try StorageKey(bytes) }
    let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    guard let decoded = [UInt8](hexadecimal: text) else {
      throw StorageError(.keyMalformed, ["count": "\(bytes.count)"], at: .file(path))
    }
    return try StorageKey(decoded)
  }
}
