import MPaaSSupport

#if canImport(CryptoKit)
  import CryptoKit
#elseif canImport(Crypto)
  import Crypto
#else
  #error("name the trait Crypto where the package depends on mpaaskit: .package(url: …, traits: [\"Crypto\"])")
#endif

/// A digest of bytes that come one after another.
package struct RunningDigest: Sendable {
  /// Bytes that are in it.
  package private(set) var count: UInt64 = 0
  /// The hash function under way; nil for a checksum, which is in `sum`.
  private var function: (any HashFunction)?
  private var sum = CRC32C()

  package init(_ algorithm: DigestAlgorithm = .sha256) {
    function =
      switch algorithm {
      case .sha256: SHA256()
      case .sha512: SHA512()
      case .md5: Insecure.MD5()
      case .sha1: Insecure.SHA1()
      case .crc32c: nil
      }
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count += UInt64(bytes.count)
    if function == nil { sum.update(bytes) } else { function?.update(bufferPointer: bytes) }
  }

  package mutating func update(_ bytes: some Collection<UInt8>) {
    let isDone: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
    if isDone == nil { Array(bytes).withUnsafeBytes { update($0) } }
  }

  /// The digest of what is in it; more may come.
  package var value: [UInt8] {
    guard let function else { return withUnsafeBytes(of: sum.value.bigEndian) { Array($0) } }
    return Self.value(of: function)
  }

  private static func value(of function: some HashFunction) -> [UInt8] { Array(function.finalize()) }
}
