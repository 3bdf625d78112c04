import MPaaSLock
import MPaaSSupport

/// Values by name in one file, up to a number of them; the oldest ones go first.
final class ArrayStore: Sendable {
  let path: String
  /// The number that tells it from all others of this process and of later ones.
  let id = UInt64.random(in: 0 ... .max)
  private let store: KeyValueStore
  private let order: Lock<ArrayOrder>

  /// Opens the file, or makes it; it is this one's alone.
  init(path: String, key: StorageKey?) throws(StorageError) {
    do throws(FileError) { try PrivateFolder.create(FileSystem.folder(of: path)) } catch { throw StorageError(error) }
    self.path = path
    store = try KeyValueStore(path: path, options: KeyValueOptions(key: key, sharing: .exclusive))
    order = Lock(try Self.order(of: store))
  }

  /// The order as the file has it; a value whose number was damaged is the oldest.
  private static func order(of store: KeyValueStore) throws(StorageError) -> ArrayOrder {
    var names: [(name: String, number: Int64)] = []
    for name in try store.allKeys(ofBusiness: contents) {
      names.append((name, try store.longLong(forKey: name, business: orders) ?? 0))
    }
    return ArrayOrder(names)
  }

  private static let orders = "order"
  private static let contents = "content"

  /// Stores a value as the newest one, and removes what is beyond the capacity; 0 is none.
  ///
  /// - Parameter then: Runs before any other call sees the value.
  func set(
    _ value: [UInt8], _ name: String, capacity: Int, then: ([String]) -> Void = { _ in }
  ) throws(StorageError) {
    try order.withLock { order throws(StorageError) in
      let number = order.append(name)
      var batch = KeyValueBatch()
      batch.set(.data(value), forKey: name, business: Self.contents)
      batch.set(.integer(number), forKey: name, business: Self.orders)
      var gone: [String] = []
      while capacity > 0, order.count > capacity, let oldest = order.removeFirst() { gone.append(oldest) }
      gone.forEach { Self.remove($0, &batch) }
      do throws(StorageError) { try store.write(batch) } catch {
        order = try Self.order(of: store)
        throw error
      }
      then(gone)
    }
  }

  /// The value of a name; nil where there is none.
  func value(_ name: String, then: ([UInt8]) -> Void = { _ in }) throws(StorageError) -> [UInt8]? {
    try order.withLock { order throws(StorageError) in
      guard order.contains(name), let value = try store.data(forKey: name, business: Self.contents) else { return nil }
      then(value)
      return value
    }
  }

  /// Gives a value another name, in its place; one that has that name goes.
  ///
  /// - Returns: Whether there was one.
  func rename(_ name: String, to new: String) throws(StorageError) -> Bool {
    try order.withLock { order throws(StorageError) in
      guard let value = try store.data(forKey: name, business: Self.contents), let number = order.number(name) else {
        return false
      }
      guard !name.utf8.elementsEqual(new.utf8) else { return true }
      var batch = KeyValueBatch()
      batch.set(.data(value), forKey: new, business: Self.contents)
      batch.set(.integer(number), forKey: new, business: Self.orders)
      Self.remove(name, &batch)
      try store.write(batch)
      order.rename(name, to: new)
      return true
    }
  }

  /// Removes the names that `isGoing` says so of.
  func remove(where isGoing: (String) -> Bool, then: ([String]) -> Void = { _ in }) throws(StorageError) {
    try order.withLock { order throws(StorageError) in
      let gone = order.names.filter(isGoing)
      var batch = KeyValueBatch()
      gone.forEach { Self.remove($0, &batch) }
      if !batch.isEmpty { try store.write(batch) }
      gone.forEach { order.remove($0) }
      then(gone)
    }
  }

  /// The names from the oldest to the newest.
  var names: [String] { order.withLock { order in order.names } }

  var count: Int { order.withLock { order in order.count } }

  func exists(_ name: String) -> Bool { order.withLock { order in order.contains(name) } }

  private static func remove(_ name: String, _ batch: inout KeyValueBatch) {
    batch.remove(forKey: name, business: contents)
    batch.remove(forKey: name, business: orders)
  }
}
