import MPaaSLock
import MPaaSSupport

extension KeyValueStore {
  /// Writes a value, unless it stands there already.
  @inline(__always)
  func write(
    _ kind: ValueKind, _ value: UnsafeRawBufferPointer, _ key: String, _ business: String, _ options: ValueOptions
  ) throws(StorageError) {
    if let crypt = options.crypt { return try write(kind, value, key, business, options, by: crypt) }
    let flags = RecordFlags(kind, isPurgeable: options.isPurgeable)
    let expiry = options.expiry == nil ? 0 : options.expiryTime
    try NameBytes.with(business, key) { business, key throws(StorageError) in
      try change { core throws(StorageError) in try core.set(flags, expiry, business, key, value) }
    }
  }

  private func write(
    _ kind: ValueKind, _ value: UnsafeRawBufferPointer, _ key: String, _ business: String, _ options: ValueOptions,
    by crypt: Crypt
  ) throws(StorageError) {
    let flags = RecordFlags(kind, isPurgeable: options.isPurgeable, isEncrypted: true)
    let encrypted: [UInt8]
    do { encrypted = try crypt.encrypt(Array(value)) } catch { throw StorageError(.cipherFailed) }
    try NameBytes.with(business, key) { business, key throws(StorageError) in
      try encrypted.withUnsafeBytes { value in
        Result { () throws(StorageError) in
          try change { core throws(StorageError) in try core.set(flags, options.expiryTime, business, key, value) }
        }
      }.get()
    }
  }

  /// Reads a value.
  ///
  /// - Parameter body: Gets the kind and the bytes under the store's lock.
  /// - Returns: Nil where there is none, or where `body` says so.
  @inline(__always)
  func read<Value: Sendable>(
    _ key: String, _ business: String, _ crypt: Crypt?, _ body: (ValueKind, UnsafeRawBufferPointer) -> Value?
  ) throws(StorageError) -> Value? {
    var encrypted: (kind: ValueKind, bytes: [UInt8])?
    let value = try NameBytes.with(business, key) { business, key throws(StorageError) -> Value? in
      try core.withLock { core throws(StorageError) in try core.read(business, key, &encrypted, body) }
    }
    guard let encrypted else { return value }
    return try decrypted(encrypted.kind, encrypted.bytes, crypt, body)
  }

  private func decrypted<Value>(
    _ kind: ValueKind, _ bytes: [UInt8], _ crypt: Crypt?, _ body: (ValueKind, UnsafeRawBufferPointer) -> Value?
  ) throws(StorageError) -> Value? {
    guard let crypt else { throw StorageError(.keyMissing, ["path": path], at: .file(path)) }
    let plain: [UInt8]
    do { plain = try crypt.decrypt(bytes) } catch { throw StorageError(.cipherFailed) }
    return plain.withUnsafeBytes { body(kind, $0) }
  }
}

extension KeyValueCore {
  /// Reads a value; the bytes of one that is encrypted by itself go to `encrypted`.
  @inline(__always)
  func read<Value: Sendable>(
    _ business: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer,
    _ encrypted: inout (kind: ValueKind, bytes: [UInt8])?, _ body: (ValueKind, UnsafeRawBufferPointer) -> Value?
  ) throws(StorageError) -> Value? {
    try follow()
    guard let entry = find(business, key), let kind = entry.pointee.flags.kind else { return nil }
    guard !entry.pointee.flags.isEncrypted else {
      encrypted = withValue(of: entry) { (kind, Array($0)) }
      return nil
    }
    if let value = entry.value { return body(kind, value) }
    return withValue(of: entry) { body(kind, $0) } ?? nil
  }

  /// The entry of a key that has a value now.
  @inline(__always)
  func find(_ business: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer) -> KeyIndex.Entry? {
    guard let entry = index.find(index.name(business, key)) else { return nil }
    return entry.pointee.expiry != 0 && entry.pointee.expiry <= options.now() ? nil : entry
  }

  /// Writes a value, unless it stands there already.
  @inline(__always)
  func set(
    _ flags: RecordFlags, _ expiry: Int64, _ business: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer
  ) throws(StorageError) {
    let name = index.name(business, key)
    let stored = expiry == 0 ? flags : RecordFlags(bits: flags.bits | RecordFlags.expiryBit)
    if let entry = index.find(name), entry.pointee.expiry == expiry,
      entry.pointee.flags == flags || entry.pointee.flags == stored, let old = entry.value, old.isSame(value)
    {
      return
    }
    try put(flags, expiry: expiry, name, value)
  }

  /// Removes a key; one that has no value is fine.
  func remove(_ business: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer) throws(StorageError) {
    let name = index.name(business, key)
    guard index.find(name) != nil else { return }
    try put(.deletion, expiry: 0, name, UnsafeRawBufferPointer(start: nil, count: 0))
  }
}
