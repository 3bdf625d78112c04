public import MPaaSTime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The way in which a key-value store keeps its file.
public struct KeyValueOptions: Sendable {
  /// The fates that a value outlives once `set` has returned.
  public enum Durability: Sendable {
    /// The end of the process, however it ends.
    case process
    /// A loss of power, too: each change waits for the disk; those of several threads wait for it together.
    case power
  }

  /// Those who may change the file while the store is open.
  public enum Sharing: Sendable {
    /// Other processes and stores, too: each change takes the file's lock for as long as it lasts, and reading follows
    /// what they wrote.
    case processes
    /// This store alone: others may read. Changes are some ten times as fast.
    case exclusive
  }

  /// The key of an encrypted file; a file that has none cannot be opened with one.
  public var key: StorageKey?
  /// The fates that changes outlive.
  public var durability: Durability
  /// Those who may change the file meanwhile.
  public var sharing: Sharing
  /// The time to wait for another process that writes, before `kv-busy` is thrown.
  public var lockDeadline: TimeSpan
  /// The time in milliseconds since 1970.
  package var now: @Sendable () -> Int64 = { KeyValueOptions.systemNow() }

  /// Creates options.
  public init(
    key: StorageKey? = nil, durability: Durability = .process, sharing: Sharing = .processes,
    lockDeadline: TimeSpan = .seconds(5)
  ) {
    self.key = key
    self.durability = durability
    self.sharing = sharing
    self.lockDeadline = lockDeadline
  }

  private static func systemNow() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
