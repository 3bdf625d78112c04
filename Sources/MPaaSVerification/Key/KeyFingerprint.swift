import MPaaSDigests
import MPaaSSupport

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The text that people compare to know that they hold the same key: a digest, the first half of it in words that can
/// be spoken.
package struct KeyFingerprint: Sendable, Hashable {
  /// SHA-256, 32 bytes.
  package let digest: Data

  package init(of bytes: Data) {
    digest = Data(bytes.sha256)
  }

  package var hexadecimal: String { digest.hexadecimal }

  /// The first 128 bits as eight proquints: `lusab-babad-…`, each 16 bits as consonant, vowel, consonant, vowel,
  /// consonant.
  ///
  /// Source: D. S. Wilkerson, "A Proposal for Proquints" (arXiv:0901.4016).
  package var words: String { Self.words(digest.prefix(16)) }

  /// The bytes, of an even number, as proquints.
  package static func words(_ bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes)
    return stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      let value = Int(bytes[index]) << 8 | Int(bytes[index + 1])
      return String(
        decoding: [
          consonants[value >> 12], vowels[value >> 10 & 3], consonants[value >> 6 & 15], vowels[value >> 4 & 3],
          consonants[value & 15],
        ], as: UTF8.self)
    }.joined(separator: "-")
  }

  private static let consonants = Array("bdfghjklmnprstvz".utf8)
  private static let vowels = Array("aiou".utf8)
}
