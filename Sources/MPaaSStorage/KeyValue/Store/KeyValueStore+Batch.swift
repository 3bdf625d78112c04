import MPaaSSupport

/// Changes that are written together.
public struct KeyValueBatch: Sendable {
  struct Change: Sendable {
    let business: String
    let key: String
    let value: StoredValue?
    let options: ValueOptions
  }

  private(set) var changes: [Change] = []

  /// Creates a batch without changes.
  public init() {}

  /// Adds a value to store.
  public mutating func set(
    _ value: StoredValue, forKey key: String, business: String = "", options: ValueOptions = .none
  ) {
    changes.append(Change(business: business, key: key, value: value, options: options))
  }

  /// Adds a key to remove.
  public mutating func remove(forKey key: String, business: String = "") {
    changes.append(Change(business: business, key: key, value: nil, options: .none))
  }
}

extension KeyValueStore {
  /// Makes all changes with one write, and one wait for the disk where that is asked for.
  ///
  /// No other thread or process sees a part of them. Only where power is lost, or the process killed, in the midst of
  /// the write, may the first ones be there and the last ones not.
  public func write(_ batch: KeyValueBatch) throws(StorageError) {
    var encoded: [(change: KeyValueBatch.Change, flags: RecordFlags, bytes: [UInt8])] = []
    for change in batch.changes { encoded.append(try Self.encoded(change)) }
    try change { core throws(StorageError) in
      try core.batch { () throws(StorageError) in
        for (change, flags, bytes) in encoded { try core.apply(change, flags, bytes) }
      }
    }
  }

  private static func encoded(
    _ change: KeyValueBatch.Change
  ) throws(StorageError) -> (change: KeyValueBatch.Change, flags: RecordFlags, bytes: [UInt8]) {
    guard let value = change.value else { return (change, .deletion, []) }
    let flags = RecordFlags(
      value.kind, isPurgeable: change.options.isPurgeable, isEncrypted: change.options.crypt != nil)
    guard let crypt = change.options.crypt else { return (change, flags, value.bytes) }
    do { return (change, flags, try crypt.encrypt(value.bytes)) } catch { throw StorageError(.cipherFailed) }
  }

  /// Stores a value, or removes it where it is nil, if the key has the expected value, or none where that is nil.
  ///
  /// - Returns: Whether it had.
  public func replace(
    forKey key: String, business: String = "", expecting expected: StoredValue?, with value: StoredValue?,
    options: ValueOptions = .none
  ) throws(StorageError) -> Bool {
    let (change, flags, bytes) = try Self.encoded(
      KeyValueBatch.Change(business: business, key: key, value: value, options: options))
    return try self.change { core throws(StorageError) in
      guard try core.value(business, key, options.crypt) == expected else { return false }
      try core.apply(change, flags, bytes)
      return true
    }
  }
}

extension KeyValueCore {
  fileprivate func apply(
    _ change: KeyValueBatch.Change, _ flags: RecordFlags, _ bytes: [UInt8]
  ) throws(StorageError) {
    try NameBytes.with(change.business, change.key) { business, key throws(StorageError) in
      if flags.isDeletion { return try remove(business, key) }
      try bytes.withUnsafeBytes { value in
        Result { () throws(StorageError) in try set(flags, change.options.expiryTime, business, key, value) }
      }.get()
    }
  }

  fileprivate func value(_ business: String, _ key: String, _ crypt: Crypt?) throws(StorageError) -> StoredValue? {
    let found = try NameBytes.with(business, key) { business, key throws(StorageError) -> (RecordFlags, [UInt8])? in
      guard let entry = find(business, key) else { return nil }
      return withValue(of: entry) { (entry.pointee.flags, Array($0)) }
    }
    guard let (flags, bytes) = found, let kind = flags.kind else { return nil }
    guard flags.isEncrypted else { return bytes.withUnsafeBytes { StoredValue(kind, $0) } }
    guard let crypt else { throw StorageError(.keyMissing, ["path": path], at: .file(path)) }
    let plain: [UInt8]
    do { plain = try crypt.decrypt(bytes) } catch { throw StorageError(.cipherFailed) }
    return plain.withUnsafeBytes { StoredValue(kind, $0) }
  }
}
