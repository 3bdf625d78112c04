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
  /// The hash function under way; nil for those that the system's library lacks.
  private var function: (any HashFunction)?
  private var sm3: SM3?
  private var sum = CRC32C()

  package init(_ algorithm: DigestAlgorithm = .sha256) {
    function =
      switch algorithm {
      case .sha256: SHA256()
      case .sha512: SHA512()
      case .md5: Insecure.MD5()
      case .sha1: Insecure.SHA1()
      case .sm3, .crc32c: nil
      }
    if algorithm == .sm3 { sm3 = SM3() }
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count += UInt64(bytes.count)
    if function != nil {
      function?.update(bufferPointer: bytes)
    } else if sm3 != nil {
      sm3?.update(bytes)
    } else {
      sum.update(bytes)
    }
  }

  package mutating func update(_ bytes: some Collection<UInt8>) {
    let isDone: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
    if isDone == nil { Array(bytes).withUnsafeBytes { update($0) } }
  }

  /// The digest of what is in it; more may come.
  package var value: [UInt8] {
    if let function { return Self.value(of: function) }
    return sm3?.value ?? withUnsafeBytes(of: sum.value.bigEndian) { Array($0) }
  }

  private static func value(of function: some HashFunction) -> [UInt8] { Array(function.finalize()) }
}
