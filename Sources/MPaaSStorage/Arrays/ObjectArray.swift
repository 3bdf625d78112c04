import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Many values of a `Codable` type by key in one file, with a cache in memory; the oldest go where there are too many.
///
/// Threads may use one at once. A `CustomStorage` makes it; one of a user is that of the user who is signed in at each
/// call.
public struct ObjectArray<Value: Codable & Sendable>: Sendable {
  /// The number of values that it holds at most; 0 for any.
  public let capacity: Int
  let store: @Sendable () throws(StorageError) -> ArrayStore
  let cache: MemoryCache<Value>?

  init(capacity: Int, cacheCapacity: Int, store: @escaping @Sendable () throws(StorageError) -> ArrayStore) {
    (self.capacity, self.store) = (capacity, store)
    cache = cacheCapacity > 0 ? MemoryCache(capacity: cacheCapacity, policy: .lru) : nil
  }

  /// Stores a value as the newest one, or removes it where it is nil.
  public func set(_ value: Value?, forKey key: String) throws(StorageError) {
    guard let value else { return try remove(forKey: key) }
    // Inside of an array, since a document that is a number alone is none on old systems.
    guard let data = try? JSONEncoder().encode([value]) else { throw StorageError(.valueMalformed, ["key": key]) }
    let store = try store()
    try store.set(Array(data), key, capacity: capacity) { gone in
      forget(gone, store)
      cache?.set(value, forKey: Self.name(key, store))
    }
  }

  /// The value of a key; nil where it has none.
  public func object(forKey key: String) throws(StorageError) -> Value? {
    let store = try store()
    if let value = cache?.value(forKey: Self.name(key, store)) { return value }
    var found: [Value]?
    let bytes = try store.value(key) { bytes in
      found = try? JSONDecoder().decode([Value].self, from: Data(bytes))
      if let value = found?.first { cache?.set(value, forKey: Self.name(key, store)) }
    }
    guard bytes != nil else { return nil }
    guard let value = found?.first else { throw StorageError(.valueMalformed, ["key": key]) }
    return value
  }

  /// The values whose keys a pattern of SQL's LIKE matches.
  public func objects(like pattern: String) throws(StorageError) -> [String: Value] {
    let pattern = LikePattern(pattern)
    var found: [String: Value] = [:]
    for key in try allKeys where pattern.matches(key) { found[key] = try object(forKey: key) }
    return found
  }

  /// Removes a key.
  public func remove(forKey key: String) throws(StorageError) { try remove { $0.utf8.elementsEqual(key.utf8) } }

  /// Removes the keys that a pattern of SQL's LIKE matches.
  public func remove(like pattern: String) throws(StorageError) {
    let pattern = LikePattern(pattern)
    try remove { pattern.matches($0) }
  }

  /// Removes all values.
  public func removeAll() throws(StorageError) { try remove { _ in true } }

  private func remove(where isGoing: (String) -> Bool) throws(StorageError) {
    let store = try store()
    try store.remove(where: isGoing) { forget($0, store) }
  }

  /// Tells whether a key has a value.
  public func exists(forKey key: String) throws(StorageError) -> Bool { try store().exists(key) }

  /// The keys from the oldest to the newest.
  public var allKeys: [String] {
    get throws(StorageError) { try store().names }
  }

  /// The number of values.
  public var count: Int {
    get throws(StorageError) { try store().count }
  }

  private func forget(_ keys: [String], _ store: ArrayStore) {
    cache?.remove(forKeys: keys.map { Self.name($0, store) })
  }

  /// The name of a value in the cache: users have other stores; texts are equal there only where their bytes are.
  private static func name(_ key: String, _ store: ArrayStore) -> String {
    "\(store.id) " + Array(key.utf8).hexadecimal
  }
}
