import MPaaSLock

extension KeyValueStore {
  /// A value with its names.
  package struct Item: Sendable {
    package let business: String
    package let key: String
    /// Nil where the value is encrypted by itself, or cannot be read.
    package let value: StoredValue?
    package let isPurgeable: Bool
    /// Milliseconds since 1970; 0 for never.
    package let expiry: Int64
  }

  /// All values, by business and key in the order of their bytes.
  package func items() throws(StorageError) -> [Item] {
    let items = try core.withLock { core throws(StorageError) -> [Item] in
      try core.follow()
      var items: [Item] = []
      let now = core.options.now()
      core.index.forEach { entry in
        guard entry.pointee.expiry == 0 || entry.pointee.expiry > now else { return }
        let flags = entry.pointee.flags
        let value =
          flags.isEncrypted
          ? nil
          : core.withValue(of: entry) { bytes in
            flags.kind.flatMap { StoredValue($0, bytes) }
          }
        items.append(
          Item(
            business: String(decoding: entry.business, as: UTF8.self), key: String(decoding: entry.key, as: UTF8.self),
            value: value ?? nil, isPurgeable: flags.isPurgeable, expiry: entry.pointee.expiry))
      }
      return items
    }
    return items.sorted { left, right in
      left.business == right.business
        ? left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
        : left.business.utf8.lexicographicallyPrecedes(right.business.utf8)
    }
  }
}
