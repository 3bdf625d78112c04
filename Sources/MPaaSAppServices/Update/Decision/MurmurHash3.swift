/// MurmurHash3 for x86, with 32 bits: the hash of rollouts by identifiers.
///
/// Source: Austin Appleby's MurmurHash3, in the public domain, as Unleash's client specification uses it.
enum MurmurHash3 {
  /// The hash of bytes.
  static func hash(_ bytes: some Collection<UInt8>, seed: UInt32 = 0) -> UInt32 {
    var hash = seed
    var block: UInt32 = 0
    var count: UInt32 = 0
    for byte in bytes {
      block |= UInt32(byte) << (8 * (count & 3))
      count &+= 1
      guard count & 3 == 0 else { continue }
      hash ^= scrambled(block)
      hash = rotated(hash, 13) &* 5 &+ 0xe654_6b64
      block = 0
    }
    hash ^= scrambled(block)
    hash ^= count
    hash = (hash ^ hash >> 16) &* 0x85eb_ca6b
    hash = (hash ^ hash >> 13) &* 0xc2b2_ae35
    return hash ^ hash >> 16
  }

  private static func scrambled(_ block: UInt32) -> UInt32 { rotated(block &* 0xcc9e_2d51, 15) &* 0x1b87_3593 }

  private static func rotated(_ value: UInt32, _ bits: UInt32) -> UInt32 { value << bits | value >> (32 - bits) }
}

/// The part of all devices that gets an update.
package enum UpdateBucket {
  /// The number of parts.
  package static let count = 10_000

  /// The part that a device belongs to, from 1 to 10,000: MurmurHash3 of `group:id`, modulo 10,000, plus 1.
  ///
  /// A device stays in its part for as long as the group is the same, so that who was let in stays in when more are.
  package static func of(_ id: String, group: String) -> Int {
    Int(MurmurHash3.hash("\(group):\(id)".utf8) % UInt32(count)) + 1
  }
}
