import MPaaSLock
import MPaaSSupport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Values by key in files of a folder, up to a sum of bytes; the policy says which go when it is full.
///
/// An index tells the files of keys, their checksums and their order. A value whose file is missing or damaged is not
/// there; nothing but whole values is returned, after `kill -9` and a loss of power, too. Threads may use one at once;
/// the folder is that of one cache.
///
///     let pictures = try DiskCache(folder: caches + "/pictures", capacity: 50 << 20)
///     try pictures.set(bytes, forKey: url)
///     if let bytes = try pictures.value(forKey: url) { … }
public final class DiskCache: Sendable {
  private let core: Lock<DiskCacheCore>
  private let files: DiskFiles

  /// Opens a cache, or makes it.
  ///
  /// - Parameters:
  ///   - folder: The folder of the cache alone; only its owner may read it.
  ///   - capacity: The bytes of files that it holds at most.
  ///   - policy: The rule by which it chooses what goes; it may differ from the last time.
  ///   - key: Encrypts values and index; a cache with another key is not opened.
  ///   - lockDeadline: The time to wait for another process that has the folder, before `kv-busy` is thrown.
  public init(
    folder: String, capacity: Int, policy: CachePolicy = .s3fifo, key: StorageKey? = nil,
    lockDeadline: TimeSpan = .seconds(5)
  ) throws(StorageError) {
    do throws(FileError) {
      try PrivateFolder.create(folder)
      try PrivateFolder.close(folder)
      try PrivateFolder.create(folder + "/files")
    } catch { throw StorageError(error) }
    files = DiskFiles(folder: folder + "/files", key: key)
    let options = KeyValueOptions(key: key, sharing: .exclusive, lockDeadline: lockDeadline)
    let index = try Self.index(folder + "/index.mpkv", options)
    core = Lock(try DiskCacheCore(index, files, policy, capacity: max(capacity, 0)))
  }

  /// The index; one that is beyond repair is begun anew, since a cache may forget.
  private static func index(_ path: String, _ options: KeyValueOptions) throws(StorageError) -> KeyValueStore {
    do throws(StorageError) { return try KeyValueStore(path: path, options: options) } catch {
      guard error.code == .malformed else { throw error }
    }
    do throws(FileError) { try FileSystem.remove(path) } catch { throw StorageError(error) }
    return try KeyValueStore(path: path, options: options)
  }

  /// Stores a value; nil removes the key.
  ///
  /// - Parameters:
  ///   - value: The bytes.
  ///   - key: The name that they are found by.
  ///   - expiry: The time from which the value is not there any more.
  public func set(_ value: [UInt8]?, forKey key: String, expiry: Date? = nil) throws(StorageError) {
    guard let value else { return try remove(forKey: key) }
    guard value.count <= min(capacity, 2_000_000_000) else { return try remove(forKey: key) }
    let entry = try files.write(value, expiry: ValueOptions(expiry: expiry).expiryTime)
    do throws(StorageError) {
      try core.withLock { core throws(StorageError) in try core.set(key, entry) }
    } catch {
      files.remove(entry)
      throw error
    }
  }

  /// Stores several values, which do not expire.
  public func set(_ values: [String: [UInt8]]) throws(StorageError) {
    for (key, value) in values { try set(value, forKey: key) }
  }

  /// The value of a key, which counts as a use; nil where it has none, or one that has expired or is damaged.
  public func value(forKey key: String) throws(StorageError) -> [UInt8]? { try read(key, isUse: true) }

  /// The value of a key, which does not count as a use.
  public func peek(forKey key: String) throws(StorageError) -> [UInt8]? { try read(key, isUse: false) }

  private func read(_ key: String, isUse: Bool) throws(StorageError) -> [UInt8]? {
    while true {
      let entry = try core.withLock { core throws(StorageError) -> DiskEntry? in
        guard let entry = core.entry(key) else {
          // It may have expired.
          try core.remove([key])
          return nil
        }
        if isUse { try core.use(key) }
        return entry
      }
      guard let entry else { return nil }
      if let value = files.read(entry) { return value }
      // Another thread may have replaced it meanwhile.
      let isDamaged = try core.withLock { core throws(StorageError) in
        guard core.entry(key)?.file == entry.file else { return false }
        try core.remove([key])
        return true
      }
      if isDamaged { return nil }
    }
  }

  /// The first values from the newest or from the oldest on; this is no use of them.
  public func peek(_ count: Int, fromNewest: Bool = true) -> [[UInt8]] {
    let entries = core.withLock { core in
      core.state.ordered(fromNewest: fromNewest).map(\.value).filter { !core.isExpired($0) }.prefix(max(count, 0))
    }
    return entries.compactMap(files.read)
  }

  /// Tells whether a key has a value; this is no use of it.
  public func exists(forKey key: String) -> Bool { core.withLock { core in core.entry(key) != nil } }

  /// The number of values.
  public var count: Int { core.withLock { core in core.state.places.count } }

  /// The bytes of all values as they lie on the disk.
  public var cost: Int { core.withLock { core in core.state.cost } }

  /// The bytes that there is room for.
  public var capacity: Int { core.withLock { core in core.state.capacity } }

  /// Gives it another capacity; what has no room any more goes.
  public func resize(to capacity: Int) throws(StorageError) {
    try core.withLock { core throws(StorageError) in try core.resize(to: max(capacity, 0)) }
  }
}

extension DiskCache {
  /// Removes a key.
  public func remove(forKey key: String) throws(StorageError) { try remove(forKeys: [key]) }

  /// Removes several keys.
  public func remove(forKeys keys: some Collection<String>) throws(StorageError) {
    let keys = Array(keys)
    try core.withLock { core throws(StorageError) in try core.remove(keys) }
  }

  /// Removes all values.
  public func removeAll() throws(StorageError) { try remove(where: { _ in true }) }

  /// Removes the keys that begin with a text.
  public func remove(prefix: String) throws(StorageError) { try remove(where: { $0.hasPrefix(prefix) }) }

  /// Removes the keys that end with a text.
  public func remove(suffix: String) throws(StorageError) { try remove(where: { $0.hasSuffix(suffix) }) }

  /// Removes the keys that a pattern of SQL's LIKE matches.
  public func remove(like pattern: String) throws(StorageError) {
    let pattern = LikePattern(pattern)
    try remove(where: { pattern.matches($0) })
  }

  /// Removes the values that have expired.
  public func removeExpired() throws(StorageError) {
    try core.withLock { core throws(StorageError) in
      try core.remove(core.state.ordered(fromNewest: true).filter { core.isExpired($0.value) }.map(\.key))
    }
  }

  /// Removes the keys that `isGoing` says so of; it must not use the cache.
  public func remove(where isGoing: (String) -> Bool) throws(StorageError) {
    let keys = core.withLock { core in core.state.places.keys }
    try remove(forKeys: keys.filter(isGoing))
  }
}

@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension DiskCache {
  /// Removes the keys that a regular expression matches as a whole.
  public func remove(matching expression: some RegexComponent) throws(StorageError) {
    try remove(where: { $0.wholeMatch(of: expression) != nil })
  }
}
