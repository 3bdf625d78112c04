import Crypto
import MPaaSSupport

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Digests of one file by algorithm, in lower-case hex; SHA-256 and SHA-512 are checked, others are kept.
package struct FileDigests: Sendable, Equatable {
  package private(set) var hexadecimal: [String: String] = [:]

  package init() {}

  package init(sha256: String) {
    hexadecimal = ["sha256": sha256]
  }

  /// Reads `hashes`; none at all where `value` is nil.
  init(_ value: JSONValue?, path: String) throws(TrustError) {
    guard let value else { return }
    guard let members = value.object, !members.isEmpty else {
      throw TrustError(.metadataMalformed, ["field": "\(path).hashes"])
    }
    for (name, digest) in members {
      guard let digest = digest.string else { throw TrustError(.metadataMalformed, ["field": "\(path).hashes"]) }
      hexadecimal[name] = digest
    }
  }

  package var isEmpty: Bool { hexadecimal.isEmpty }
  var value: JSONValue { .object(hexadecimal.mapValues { .string($0) }) }

  /// The digests of `bytes`.
  package static func sha256(of bytes: some DataProtocol) -> FileDigests {
    FileDigests(sha256: Data(SHA256.hash(data: bytes)).hexadecimal)
  }

  /// Whether at least one digest is of a known algorithm, and all of those are the digests of `bytes`.
  package func match(_ bytes: some DataProtocol) -> Bool {
    var known = 0
    if let expected = hexadecimal["sha256"] {
      guard expected == Data(SHA256.hash(data: bytes)).hexadecimal else { return false }
      known += 1
    }
    if let expected = hexadecimal["sha512"] {
      guard expected == Data(SHA512.hash(data: bytes)).hexadecimal else { return false }
      known += 1
    }
    return known > 0
  }
}
