/// The stores of a data center as one business sees them.
public struct BusinessAccessor: Sendable {
  let center: DataCenter
  /// The name of the business.
  public let business: String

  /// The values of the business that belong to no user.
  public var common: BusinessStore {
    get throws(StorageError) { BusinessStore(store: try center.common, business: business) }
  }

  /// The values of the business and the user who is signed in; nil where none is.
  public var user: BusinessStore? {
    get throws(StorageError) {
      guard let store = try center.user else { return nil }
      return BusinessStore(store: store, business: business)
    }
  }

  /// The values of the business and a user.
  public func storage(forUser id: String) throws(StorageError) -> BusinessStore {
    BusinessStore(store: try center.storage(forUser: id), business: business)
  }
}

/// The values of one business in a key-value store.
public struct BusinessStore: Sendable {
  /// The store that has them.
  public let store: KeyValueStore
  /// The name of the business.
  public let business: String

  /// Creates the view of a store.
  public init(store: KeyValueStore, business: String) {
    self.store = store
    self.business = business
  }

  /// Stores a value, or removes the key where it is nil.
  public func set(_ value: StoredValue?, forKey key: String, options: ValueOptions = .none) throws(StorageError) {
    guard let value else { return try remove(forKey: key) }
    try store.set(value, forKey: key, business: business, options: options)
  }

  /// Stores a whole number.
  public func set(_ value: Int, forKey key: String) throws(StorageError) {
    try store.set(value, forKey: key, business: business)
  }

  /// Stores yes or no.
  public func set(_ value: Bool, forKey key: String) throws(StorageError) {
    try store.set(value, forKey: key, business: business)
  }

  /// Stores a number with a fraction.
  public func set(_ value: Double, forKey key: String) throws(StorageError) {
    try store.set(value, forKey: key, business: business)
  }

  /// Stores a text, or removes the key where it is nil.
  public func set(_ value: String?, forKey key: String) throws(StorageError) {
    try store.set(value, forKey: key, business: business)
  }

  /// Stores a value of a `Codable` type.
  public func set(codable value: some Encodable, forKey key: String) throws(StorageError) {
    try store.set(codable: value, forKey: key, business: business)
  }
}

extension BusinessStore {
  /// The value of a key whatever its kind; nil where it has none.
  public func value(forKey key: String) throws(StorageError) -> StoredValue? {
    try store.value(forKey: key, business: business)
  }

  /// The whole number of a key; nil where it has none.
  public func integer(forKey key: String) throws(StorageError) -> Int? {
    try store.integer(forKey: key, business: business)
  }

  /// Yes or no; nil where the key has neither.
  public func bool(forKey key: String) throws(StorageError) -> Bool? {
    try store.bool(forKey: key, business: business)
  }

  /// The number of a key; nil where it has none.
  public func double(forKey key: String) throws(StorageError) -> Double? {
    try store.double(forKey: key, business: business)
  }

  /// The text of a key; nil where it has none.
  public func string(forKey key: String) throws(StorageError) -> String? {
    try store.string(forKey: key, business: business)
  }

  /// The value of a `Codable` type; nil where the key has none.
  public func value<Value: Decodable>(_ type: Value.Type, forKey key: String) throws(StorageError) -> Value? {
    try store.value(type, forKey: key, business: business)
  }

  /// Tells whether a key has a value.
  public func exists(forKey key: String) throws(StorageError) -> Bool {
    try store.exists(forKey: key, business: business)
  }

  /// The keys that have a value, sorted.
  public var allKeys: [String] {
    get throws(StorageError) { try store.allKeys(ofBusiness: business) }
  }

  /// Removes a key; one that has no value is fine.
  public func remove(forKey key: String) throws(StorageError) { try store.remove(forKey: key, business: business) }

  /// Removes the keys that a pattern of SQL's LIKE matches, and returns how many they were.
  @discardableResult
  public func removeLike(_ pattern: String) throws(StorageError) -> Int {
    try store.removeLike(pattern, business: business)
  }

  /// Removes all keys, and returns how many they were.
  @discardableResult
  public func removeAll() throws(StorageError) -> Int { try store.removeAll(ofBusiness: business) }
}
