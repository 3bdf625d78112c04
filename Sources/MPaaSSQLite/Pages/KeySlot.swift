#if canImport(CryptoKit)
  import CryptoKit
#elseif canImport(Crypto)
  import Crypto
#endif

/// The entry of a database's header for one generation of its key.
struct KeySlot: Equatable {
  static let saltSize = 32, checkSize = 16
  /// Bytes of a wrapped key: nonce, key and tag.
  static let wrappedSize = 12 + DatabaseKey.size + 16
  static let size = 4 + saltSize + checkSize + wrappedSize

  var generation: UInt32
  var salt: [UInt8]
  var check: [UInt8]
  /// The pages' key of the other generation, for who has this one's; zeros where there is no other.
  var wrapped = [UInt8](repeating: 0, count: wrappedSize)

  /// Makes a generation with a fresh salt.
  init(_ generation: UInt32, _ key: DatabaseKey) {
    self.generation = generation
    salt = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
    check = Self.check(key, salt)
  }

  /// Reads the bytes of a slot.
  init(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> [UInt8] {
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    generation = take(4, &rest).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    salt = take(Self.saltSize, &rest)
    check = take(Self.checkSize, &rest)
    wrapped = take(Self.wrappedSize, &rest)
  }

  var bytes: [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: generation >> (8 * $0)) } + salt + check + wrapped
  }

  /// Tells whether this is the key of the generation.
  func fits(_ key: DatabaseKey) -> Bool { Self.check(key, salt) == check }

  private static func check(_ key: DatabaseKey, _ salt: [UInt8]) -> [UInt8] {
    key.derived(.check, salt).withUnsafeBytes { Array($0.prefix(checkSize)) }
  }

  /// The key of the generation's pages.
  func pageKey(_ key: DatabaseKey) -> SymmetricKey { key.derived(.pages, salt) }

  /// Keeps the pages' key of another generation for who has this one's key.
  mutating func wrap(_ other: SymmetricKey, of generation: UInt32, _ key: DatabaseKey, _ id: [UInt8]) throws {
    let bytes = other.withUnsafeBytes { Array($0) }
    let box = try AES.GCM.seal(
      bytes, using: key.derived(.wrap, salt), authenticating: Self.context(id, generation))
    wrapped = Array(box.nonce) + box.ciphertext + box.tag
  }

  /// The pages' key of another generation.
  ///
  /// - Throws: Where the bytes are not as they were.
  func unwrapped(_ generation: UInt32, _ key: DatabaseKey, _ id: [UInt8]) throws -> SymmetricKey {
    let box = try AES.GCM.SealedBox(combined: wrapped)
    return SymmetricKey(
      data: try AES.GCM.open(box, using: key.derived(.wrap, salt), authenticating: Self.context(id, generation)))
  }

  private static func context(_ id: [UInt8], _ generation: UInt32) -> [UInt8] {
    id + (0..<4).map { UInt8(truncatingIfNeeded: generation >> (8 * $0)) }
  }
}
