import MPaaSBuckets

/// The part of all devices that gets an update.
package enum UpdateBucket {
  /// The number of parts.
  package static let count = 10_000

  /// The part that a device belongs to, from 1 to 10,000: MurmurHash3 of `group:id`, modulo 10,000, plus 1.
  ///
  /// A device stays in its part for as long as the group is the same, so that those let in stay in when more are.
  package static func of(_ id: String, group: String) -> Int {
    var hash = MurmurHash3(seed: 0)
    hash.append("\(group):\(id)")
    return Int(hash.bucket(of: UInt32(count)))
  }
}
