import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension KeyValueStore {
  /// Stores a value of a `Codable` type, as JSON.
  public func set(
    codable value: some Encodable, forKey key: String, business: String = "", options: ValueOptions = .none
  ) throws(StorageError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try store({ .codable($0) }, try? encoder.encode(value), key, business, options)
  }

  /// The value of a `Codable` type; nil where the key has none of that kind.
  ///
  /// - Throws: `StorageError` where what is stored is not the type's.
  public func value<Value: Decodable>(
    _ type: Value.Type, forKey key: String, business: String = "", crypt: Crypt? = nil
  ) throws(StorageError) -> Value? {
    let stored = try value(forKey: key, business: business, crypt: crypt)
    switch stored {
    case .codable(let bytes), .json(let bytes):
      return try decoded(key) { try JSONDecoder().decode(type, from: Data(bytes)) }
    case .propertyList(let bytes):
      return try decoded(key) { try PropertyListDecoder().decode(type, from: Data(bytes)) }
    default: return nil
    }
  }

  /// Stores an object of property lists, as a binary one: numbers, texts, bytes, dates, arrays and dictionaries of them.
  public func set(
    propertyList value: some Encodable, forKey key: String, business: String = "", options: ValueOptions = .none
  ) throws(StorageError) {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    try store({ .propertyList($0) }, try? encoder.encode(value), key, business, options)
  }

  /// Stores a JSON document.
  ///
  /// - Throws: `StorageError` where the text is none.
  public func set(
    json text: String, forKey key: String, business: String = "", options: ValueOptions = .none
  ) throws(StorageError) {
    let isJSON = Array(text.utf8).withUnsafeBytes { (try? JSONValue(reading: $0, by: .exact)) != nil }
    try store({ .json($0) }, isJSON ? Data(text.utf8) : nil, key, business, options)
  }

  /// The JSON document of a key; nil where it has none.
  public func json(forKey key: String, business: String = "", crypt: Crypt? = nil) throws(StorageError) -> String? {
    try read(key, business, crypt) { kind, bytes in
      kind == .json || kind == .codable ? String(decoding: bytes, as: UTF8.self) : nil
    }
  }

  private func store(
    _ make: ([UInt8]) -> StoredValue, _ data: Data?, _ key: String, _ business: String, _ options: ValueOptions
  ) throws(StorageError) {
    guard let data else { throw StorageError(.valueMalformed, ["key": key]) }
    try set(make(Array(data)), forKey: key, business: business, options: options)
  }

  private func decoded<Value>(_ key: String, _ body: () throws -> Value) throws(StorageError) -> Value {
    do { return try body() } catch { throw StorageError(.valueMalformed, ["key": key]) }
  }
}
