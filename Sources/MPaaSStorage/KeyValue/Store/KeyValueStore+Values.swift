extension KeyValueStore {
  /// Stores a whole number.
  public func set(
    _ value: Int, forKey key: String, business: String = "", options: ValueOptions = .none
  ) throws(StorageError) {
    try set(longLong: Int64(value), forKey: key, business: business, options: options)
  }

  /// Stores a whole number of 64 bits.
  public func set(
    longLong value: Int64, forKey key: String, business: String = "", options: ValueOptions = .none
  ) throws(StorageError) {
    var value = value.littleEndian
    let size = MemoryLayout<Int64>.size
    try withUnsafePointer(to: &value) { pointer throws(StorageError) in
      try write(.integer, UnsafeRawBufferPointer(start: pointer, count: size), key, business, options)
    }
  }

  /// Stores yes or no.
  public func set(
    _ value: Bool, forKey key: String, business: String = "", options: ValueOptions = .none
  ) throws(StorageError) {
    var value: UInt8 = value ? 1 : 0
    try withUnsafePointer(to: &value) { pointer throws(StorageError) in
      try write(.bool, UnsafeRawBufferPointer(start: pointer, count: 1), key, business, options)
    }
  }

  /// Stores a number with a fraction.
  public func set(
    _ value: Double, forKey key: String, business: String = "", options: ValueOptions = .none
  ) throws(StorageError) {
    var bits = value.bitPattern.littleEndian
    try withUnsafePointer(to: &bits) { pointer throws(StorageError) in
      try write(.double, UnsafeRawBufferPointer(start: pointer, count: 8), key, business, options)
    }
  }

  /// Stores a text; nil removes the key.
  public func set(
    _ value: String?, forKey key: String, business: String = "", options: ValueOptions = .none
  ) throws(StorageError) {
    guard var value else { return try remove(forKey: key, business: business) }
    try value.withUTF8 { bytes in
      Result { () throws(StorageError) in
        try write(.string, UnsafeRawBufferPointer(bytes), key, business, options)
      }
    }.get()
  }

  /// Stores bytes.
  public func set(
    data value: [UInt8], forKey key: String, business: String = "", options: ValueOptions = .none
  ) throws(StorageError) {
    try set(.data(value), forKey: key, business: business, options: options)
  }

  /// Stores a value of any kind.
  public func set(
    _ value: StoredValue, forKey key: String, business: String = "", options: ValueOptions = .none
  ) throws(StorageError) {
    try value.bytes.withUnsafeBytes { bytes in
      Result { () throws(StorageError) in try write(value.kind, bytes, key, business, options) }
    }.get()
  }
}
