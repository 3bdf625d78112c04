import MPaaSLock
import MPaaSSupport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The settings of an app, by the names of `UserDefaults`, in a key-value store.
///
/// A key that was not set has the value that was registered for it, and that is not stored. Numbers, texts and yes or no
/// are read as one another where that is meant.
///
/// ```swift
/// let defaults = Defaults(store: try center.common)
/// defaults.register(defaults: ["launches": .integer(0)])
/// try defaults.set(3, forKey: "launches")
/// ```
public final class Defaults: Sendable {
  /// The store that has the values.
  public let store: KeyValueStore
  /// The business under which they are.
  public let business: String
  private let registered = Lock([String: StoredValue]())

  /// Creates the settings of a store.
  public init(store: KeyValueStore, business: String = "defaults") {
    self.store = store
    self.business = business
  }

  /// Registers the values of keys that are not set; of keys that are registered already others.
  public func register(defaults: [String: StoredValue]) {
    registered.withLock { $0.merge(defaults) { $1 } }
  }

  // MARK: Reading

  /// The value of a key as it was stored, else as it was registered; nil where it has neither.
  public func object(forKey key: String) throws(StorageError) -> StoredValue? {
    try store.value(forKey: key, business: business) ?? registered.withLock { $0[key] }
  }

  /// The value of a key as a type; nil where it has none that is one.
  public func value<Value: DefaultsValue>(
    _ type: Value.Type = Value.self, forKey key: String
  ) throws(StorageError) -> Value? {
    try object(forKey: key).flatMap { Value(stored: $0) }
  }

  /// The value of a typed key, else its default.
  public func value<Value: DefaultsValue>(_ key: DefaultsKey<Value>) throws(StorageError) -> Value {
    try value(forKey: key.name) ?? key.fallback
  }

  /// The whole number of a key; 0 where it has none.
  public func integer(forKey key: String) throws(StorageError) -> Int { try value(forKey: key) ?? 0 }

  /// Yes or no; no where the key has neither.
  public func bool(forKey key: String) throws(StorageError) -> Bool { try value(forKey: key) ?? false }

  /// The number of a key; 0 where it has none.
  public func double(forKey key: String) throws(StorageError) -> Double { try value(forKey: key) ?? 0 }

  /// The number of a key; 0 where it has none.
  public func float(forKey key: String) throws(StorageError) -> Float { Float(try double(forKey: key)) }

  /// The text of a key; nil where it has none.
  public func string(forKey key: String) throws(StorageError) -> String? { try value(forKey: key) }

  /// The bytes of a key; nil where it has none.
  public func data(forKey key: String) throws(StorageError) -> Data? {
    try value([UInt8].self, forKey: key).map { Data($0) }
  }

  /// The texts of a key; nil where it has none.
  public func stringArray(forKey key: String) throws(StorageError) -> [String]? {
    try codable([String].self, forKey: key)
  }

  /// The address of a key; nil where it has none.
  public func url(forKey key: String) throws(StorageError) -> URL? {
    try string(forKey: key).flatMap { URL(string: $0) }
  }

  /// The value of a `Codable` type of a key; nil where it has none.
  ///
  /// - Throws: `kv-value-malformed` where what is stored is none of the type.
  public func codable<Value: Decodable>(
    _ type: Value.Type, forKey key: String
  ) throws(StorageError) -> Value? {
    if let value = try store.value(type, forKey: key, business: business) { return value }
    guard try !store.exists(forKey: key, business: business),
      case .codable(let bytes)? = registered.withLock({ $0[key] })
    else { return nil }
    do { return try JSONDecoder().decode(type, from: Data(bytes)) } catch {
      throw StorageError(.valueMalformed, ["key": key])
    }
  }

  /// All values: those that are set, and those that are registered for other keys.
  public func dictionaryRepresentation() throws(StorageError) -> [String: StoredValue] {
    var values = registered.withLock { $0 }
    for key in try store.allKeys(ofBusiness: business) {
      values[key] = try store.value(forKey: key, business: business) ?? values[key]
    }
    return values
  }

  // MARK: Writing

  /// Stores a value; nil removes the key.
  public func set(_ value: (some DefaultsValue)?, forKey key: String) throws(StorageError) {
    guard let value else { return try removeObject(forKey: key) }
    try store.set(value.stored, forKey: key, business: business)
  }

  /// Stores the value of a typed key.
  public func set<Value: DefaultsValue>(_ value: Value, for key: DefaultsKey<Value>) throws(StorageError) {
    try set(value, forKey: key.name)
  }

  /// Stores an address; nil removes the key.
  public func set(_ url: URL?, forKey key: String) throws(StorageError) {
    try set(url?.absoluteString, forKey: key)
  }

  /// Stores a value of a `Codable` type.
  public func set(codable value: some Encodable, forKey key: String) throws(StorageError) {
    try store.set(codable: value, forKey: key, business: business)
  }

  /// Removes the value of a key, which has the registered one again.
  public func removeObject(forKey key: String) throws(StorageError) {
    try store.remove(forKey: key, business: business)
  }

  /// Removes all values.
  public func removeAll() throws(StorageError) { try store.removeAll(ofBusiness: business) }

  /// Has all changes so far on the disk.
  public func synchronize() throws(StorageError) { try store.synchronize() }

  // MARK: Observation

  /// The keys that change from now on; with a key that one alone.
  public func changes(ofKey key: String? = nil) -> AsyncStream<KeyValueChange> {
    store.changes(ofBusiness: business, key: key)
  }
}
