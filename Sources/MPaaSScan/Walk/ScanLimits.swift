/// The bounds that keep a scan of hostile input short and small.
package struct ScanLimits: Sendable {
  /// Archives inside archives.
  package var depth = 8
  /// Bytes that one entry may take in memory, whatever its ratio.
  package var small = 24 << 20
  /// The most that a large entry may grow to, in times of its compressed size: machine code shrinks to a third.
  package var ratio: UInt64 = 12
  /// The largest entry, in bytes.
  package var largest: UInt64 = 2 << 30
  /// The bytes that all entries may give together, at least; more where the input is larger.
  package var total: UInt64 = 1 << 30
  package var totalRatio: UInt64 = 64
  /// Entries of all archives together.
  package var entries = 400_000
  package var bundles = 4096
  package var images = 20_000
  package var secrets = 1000
  /// Malformed parts that are told of each archive.
  package var malformed = 100
  /// A property list or a manifest.
  package var document = 8 << 20

  package init() {}
}
