import Crypto

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A hash function of CodeDirectories.
package enum CodeHash: UInt8, Sendable, CaseIterable {
  case sha1 = 1
  case sha256 = 2
  /// SHA-256 of which 20 bytes are kept.
  case truncatedSHA256 = 3
  case sha384 = 4

  /// The word for it: `sha1`, `sha256`, `sha384`.
  package var name: String {
    switch self {
    case .sha1: "sha1"
    case .sha256, .truncatedSHA256: "sha256"
    case .sha384: "sha384"
    }
  }

  /// The bytes of it that slots keep.
  package var size: Int {
    switch self {
    case .sha1, .truncatedSHA256: 20
    case .sha256: 32
    case .sha384: 48
    }
  }

  /// The order in which the system prefers them.
  var rank: Int {
    switch self {
    case .sha1: 0
    case .truncatedSHA256: 1
    case .sha256: 2
    case .sha384: 3
    }
  }

  /// Tells whether bytes have a digest, of which `expected` may be the first part.
  func holds(_ bytes: UnsafeRawBufferPointer, _ expected: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .sha1: Self.holds(Insecure.SHA1.self, bytes, expected)
    case .sha256, .truncatedSHA256: Self.holds(SHA256.self, bytes, expected)
    case .sha384: Self.holds(SHA384.self, bytes, expected)
    }
  }

  /// The whole digest.
  package func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    switch self {
    case .sha1: Self.digest(Insecure.SHA1.self, bytes)
    case .sha256, .truncatedSHA256: Self.digest(SHA256.self, bytes)
    case .sha384: Self.digest(SHA384.self, bytes)
    }
  }

  private static func holds<Function: HashFunction>(
    _: Function.Type, _ bytes: UnsafeRawBufferPointer, _ expected: UnsafeRawBufferPointer
  ) -> Bool {
    var function = Function()
    function.update(bufferPointer: bytes)
    return function.finalize().withUnsafeBytes { $0.prefix(expected.count).elementsEqual(expected) }
  }

  private static func digest<Function: HashFunction>(
    _: Function.Type, _ bytes: UnsafeRawBufferPointer
  ) -> [UInt8] {
    var function = Function()
    function.update(bufferPointer: bytes)
    return Array(function.finalize())
  }
}
