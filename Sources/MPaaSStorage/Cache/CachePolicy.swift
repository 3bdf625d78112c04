/// The rule by which a cache chooses what goes when it is full.
public enum CachePolicy: String, Sendable, CaseIterable {
  /// The entry whose last use is the longest ago.
  case lru
  /// The entry that came first, whether it was used or not.
  case fifo
  /// The first entry that was not used since it was last passed over (SIEVE, NSDI 2024); weak where data are scanned.
  case sieve
  /// Entries that are not used twice soon go before others (S3-FIFO, SOSP 2023): never far below LRU, mostly above.
  case s3fifo
}

extension CachePolicy {
  /// The number of uses of an entry that count.
  var mostUses: UInt8 {
    switch self {
    case .fifo, .lru: 0
    case .sieve: 1
    case .s3fifo: 3
    }
  }
}
