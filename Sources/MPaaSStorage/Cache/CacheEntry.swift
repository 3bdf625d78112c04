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
  /// Uses that counted when the entry was put in or read: up to 3 with S3-FIFO, 1 with SIEVE.
  var uses: UInt8 = 0
}

/// The place of an entry, which a look-up reads without copying it.
struct CacheItem<Value> {
  var key: String
  /// Nil where the place is free.
  var value: Value?
  var cost: Int
  var expiry: Int64
  var queue: CacheQueue

  init(_ entry: CacheEntry<Value>) {
    (key, value, cost) = (entry.key, entry.value, entry.cost)
    (expiry, queue) = (entry.expiry, entry.queue)
  }

  mutating func empty() { (key, value) = ("", nil) }
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
