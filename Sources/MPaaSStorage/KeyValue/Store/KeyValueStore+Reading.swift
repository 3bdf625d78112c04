extension KeyValueStore {
  /// The whole number of a key; nil where it has none that fits.
  public func integer(
    forKey key: String, business: String = "", crypt: Crypt? = nil
  ) throws(StorageError) -> Int? {
    try longLong(forKey: key, business: business, crypt: crypt).flatMap { Int(exactly: $0) }
  }

  /// The whole number of a key; `fallback` where it has none.
  public func integer(
    forKey key: String, business: String = "", default fallback: Int
  ) throws(StorageError) -> Int {
    try integer(forKey: key, business: business) ?? fallback
  }

  /// The whole number of 64 bits of a key; nil where it has none.
  public func longLong(
    forKey key: String, business: String = "", crypt: Crypt? = nil
  ) throws(StorageError) -> Int64? {
    try read(key, business, crypt) { kind, bytes in
      switch kind {
      case .integer where bytes.count == 8: bytes.number(0)
      case .bool where bytes.count == 1: Int64(bytes[0])
      default: nil
      }
    }
  }

  /// The whole number of 64 bits of a key; `fallback` where it has none.
  public func longLong(
    forKey key: String, business: String = "", default fallback: Int64
  ) throws(StorageError) -> Int64 {
    try longLong(forKey: key, business: business) ?? fallback
  }

  /// Yes or no, as it was stored or as a number other than 0; nil where the key has neither.
  public func bool(forKey key: String, business: String = "", crypt: Crypt? = nil) throws(StorageError) -> Bool? {
    try read(key, business, crypt) { kind, bytes in
      switch kind {
      case .bool where bytes.count == 1: bytes[0] != 0
      case .integer where bytes.count == 8: bytes.number(0) as Int64 != 0
      default: nil
      }
    }
  }

  /// Yes or no; `fallback` where the key has neither.
  public func bool(forKey key: String, business: String = "", default fallback: Bool) throws(StorageError) -> Bool {
    try bool(forKey: key, business: business) ?? fallback
  }

  /// The number of a key, whole or not; nil where it has none.
  public func double(
    forKey key: String, business: String = "", crypt: Crypt? = nil
  ) throws(StorageError) -> Double? {
    try read(key, business, crypt) { kind, bytes in
      switch kind {
      case .double where bytes.count == 8: Double(bitPattern: bytes.number(0))
      case .integer where bytes.count == 8: Double(bytes.number(0) as Int64)
      default: nil
      }
    }
  }

  /// The number of a key, whole or not; `fallback` where it has none.
  public func double(
    forKey key: String, business: String = "", default fallback: Double
  ) throws(StorageError) -> Double {
    try double(forKey: key, business: business) ?? fallback
  }

  /// The text of a key; nil where it has none.
  public func string(
    forKey key: String, business: String = "", crypt: Crypt? = nil
  ) throws(StorageError) -> String? {
    try read(key, business, crypt) { kind, bytes in
      kind == .string ? String(decoding: bytes, as: UTF8.self) : nil
    }
  }

  /// The text of a key; `fallback` where it has none.
  public func string(
    forKey key: String, business: String = "", default fallback: String
  ) throws(StorageError) -> String {
    try string(forKey: key, business: business) ?? fallback
  }

  /// The bytes of a key; nil where it has none.
  public func data(forKey key: String, business: String = "", crypt: Crypt? = nil) throws(StorageError) -> [UInt8]? {
    try read(key, business, crypt) { kind, bytes in kind == .data ? Array(bytes) : nil }
  }

  /// The value of a key whatever its kind; nil where it has none.
  public func value(
    forKey key: String, business: String = "", crypt: Crypt? = nil
  ) throws(StorageError) -> StoredValue? {
    try read(key, business, crypt) { kind, bytes in StoredValue(kind, bytes) }
  }
}
