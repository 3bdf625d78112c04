import MPaaSDigests
import MPaaSSupport
import MPaaSVerification

/// The place of an identifier among 10,000 equal parts of all users, differently for each salt.
package enum RolloutBucket {
  package static let count = 10_000

  /// The first eight bytes, big-endian, of SHA-256("mpaas-rollout/1" 0x00 salt 0x00 id) modulo 10,000.
  package static func of(_ id: String, salt: String) -> Int {
    Int(digest("mpaas-rollout/1", salt, id).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % UInt64(count))
  }

  /// The form of an identifier in allow and deny lists: 16 bytes in hex, so that the document, which anybody may fetch,
  /// does not name users.
  package static func listed(_ id: String, salt: String) -> String {
    digest("mpaas-rollout-list/1", salt, id).prefix(16).hexadecimal
  }

  private static func digest(_ domain: String, _ salt: String, _ id: String) -> [UInt8] {
    Array([domain, salt, id].joined(separator: "\0").utf8).sha256
  }
}
