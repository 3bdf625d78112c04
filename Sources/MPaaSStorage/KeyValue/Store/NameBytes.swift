/// The names of values as the bytes that files have.
enum NameBytes {
  /// Hands the UTF-8 of a business and of a key to `body`.
  @inline(__always)
  static func with<Success>(
    _ business: String, _ key: String,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Success
  ) throws(StorageError) -> Success {
    var (business, key) = (business, key)
    return try business.withUTF8 { business in
      key.withUTF8 { key in
        Result { () throws(StorageError) in
          try body(UnsafeRawBufferPointer(business), UnsafeRawBufferPointer(key))
        }
      }
    }.get()
  }

  /// Hands the bytes of a business and of a key to `body`.
  static func with<Success>(
    _ business: [UInt8], _ key: [UInt8],
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Success
  ) throws(StorageError) -> Success {
    try business.withUnsafeBytes { business in
      key.withUnsafeBytes { key in Result { () throws(StorageError) in try body(business, key) } }
    }.get()
  }
}
