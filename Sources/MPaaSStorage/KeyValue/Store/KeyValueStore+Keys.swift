import MPaaSLock

extension KeyValueStore {
  /// Tells whether a key has a value.
  public func exists(forKey key: String, business: String = "") throws(StorageError) -> Bool {
    try NameBytes.with(business, key) { business, key throws(StorageError) in
      try core.withLock { core throws(StorageError) in try core.exists(business, key) }
    }
  }

  /// The keys of a business that have a value, sorted.
  public func allKeys(ofBusiness business: String = "") throws(StorageError) -> [String] {
    try names { $0.elementsEqual(business.utf8) }.map(\.key).sorted()
  }

  /// The businesses that have a key, sorted.
  public func businesses() throws(StorageError) -> [String] {
    Set(try names { _ in true }.map(\.business)).sorted()
  }

  /// The bytes that what is there takes in the file.
  public func approximateSize() throws(StorageError) -> UInt64 {
    try core.withLock { core throws(StorageError) in
      try core.follow()
      return core.index.liveBytes
    }
  }

  /// Removes a key; one that has no value is fine.
  public func remove(forKey key: String, business: String = "") throws(StorageError) {
    try NameBytes.with(business, key) { business, key throws(StorageError) in
      try change { core throws(StorageError) in try core.remove(business, key) }
    }
  }

  /// Removes the keys of a business that a pattern of SQL's LIKE matches.
  ///
  /// - Returns: How many they were.
  @discardableResult
  public func removeLike(_ pattern: String, business: String = "") throws(StorageError) -> Int {
    let pattern = LikePattern(pattern)
    return try removeAll { entry in
      entry.business.elementsEqual(business.utf8) && pattern.matches(String(decoding: entry.key, as: UTF8.self))
    }
  }

  /// Removes all keys of a business.
  ///
  /// - Returns: How many they were.
  @discardableResult
  public func removeAll(ofBusiness business: String = "") throws(StorageError) -> Int {
    try removeAll { $0.business.elementsEqual(business.utf8) }
  }

  /// Removes the values that were stored as purgeable, and those that have expired.
  ///
  /// - Returns: How many they were.
  @discardableResult
  public func removePurgeable() throws(StorageError) -> Int {
    let now = core.withLock { core in core.options.now() }
    return try removeAll { entry in
      entry.pointee.flags.isPurgeable || (entry.pointee.expiry != 0 && entry.pointee.expiry <= now)
    }
  }

  private func removeAll(_ isGoing: (KeyIndex.Entry) -> Bool) throws(StorageError) -> Int {
    try change { core throws(StorageError) in
      var names: [(business: [UInt8], key: [UInt8])] = []
      core.index.forEach { if isGoing($0) { names.append((Array($0.business), Array($0.key))) } }
      try core.batch { () throws(StorageError) in
        for name in names {
          try NameBytes.with(name.business, name.key) { business, key throws(StorageError) in
            try core.remove(business, key)
          }
        }
      }
      return names.count
    }
  }

  private func names(
    _ isWanted: (UnsafeRawBufferPointer) -> Bool
  ) throws(StorageError) -> [(business: String, key: String)] {
    try core.withLock { core throws(StorageError) in try core.names(isWanted) }
  }
}

extension KeyValueCore {
  fileprivate func exists(
    _ business: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    try follow()
    return find(business, key) != nil
  }

  fileprivate func names(
    _ isWanted: (UnsafeRawBufferPointer) -> Bool
  ) throws(StorageError) -> [(business: String, key: String)] {
    try follow()
    var names: [(business: String, key: String)] = []
    let now = options.now()
    index.forEach { entry in
      guard entry.pointee.expiry == 0 || entry.pointee.expiry > now, isWanted(entry.business) else { return }
      names.append((String(decoding: entry.business, as: UTF8.self), String(decoding: entry.key, as: UTF8.self)))
    }
    return names
  }
}
