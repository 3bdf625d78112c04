/// The queues that entries of a cache stand in.
enum CacheQueue: UInt8, Sendable { case main, small }

/// An entry of a cache.
struct CacheEntry<Value> {
  let key: String
  var value: Value
  var cost: Int
  /// Milliseconds since 1970; 0 for never.
  var expiry: Int64
  var queue: CacheQueue
  /// Uses that count: up to 3 with S3-FIFO, 1 with SIEVE.
  var uses: UInt8 = 0
}

/// The neighbors of an entry by their numbers: newer to the head, older to the tail; -1 for none.
struct CacheLinks: Sendable {
  var newer: Int32 = -1
  var older: Int32 = -1
}

/// A row of entries from the newest to the oldest, by their numbers.
struct CacheRow: Sendable {
  var head: Int32 = -1
  var tail: Int32 = -1
  var cost = 0
}
