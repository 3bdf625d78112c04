import MPaaSDigests
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
    FileDigests(sha256: bytes.sha256.hexadecimal)
  }

  /// Tells whether at least one digest is of a known algorithm, and all of those are the digests of `bytes`.
  package func match(_ bytes: some DataProtocol) -> Bool {
    Data(bytes).withUnsafeBytes { match($0) }
  }

  /// The same of bytes in place.
  package func match(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let expected = [
      hexadecimal["sha256"].map { ($0, DigestAlgorithm.sha256.digest(of: bytes).hexadecimal) },
      hexadecimal["sha512"].map { ($0, DigestAlgorithm.sha512.digest(of: bytes).hexadecimal) },
    ].compactMap(\.self)
    return !expected.isEmpty && expected.allSatisfy { $0.0 == $0.1 }
  }

  /// The digest that names the file in a repository: SHA-256 where there is one, else SHA-512, else any.
  package var preferred: String? {
    hexadecimal["sha256"] ?? hexadecimal["sha512"] ?? hexadecimal.min { $0.key < $1.key }?.value
  }
}
