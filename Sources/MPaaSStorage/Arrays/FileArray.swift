import MPaaSSupport

/// Many files of a kind, such as the voices of a chat, by name in one file; the oldest go where there are too many.
///
/// Threads may use one at once. A `CustomStorage` makes it; one of a user is that of the user who is signed in at each
/// call.
public struct FileArray: Sendable {
  /// The number of files that it holds at most; 0 for any.
  public let capacity: Int
  let store: @Sendable () throws(StorageError) -> ArrayStore

  /// Stores a file as the newest one.
  public func write(_ bytes: [UInt8], name: String) throws(StorageError) {
    try store().set(bytes, name, capacity: capacity)
  }

  /// The bytes of a file; nil where there is none.
  public func read(_ name: String) throws(StorageError) -> [UInt8]? { try store().value(name) }

  /// The files whose names a pattern of SQL's LIKE matches.
  public func read(like pattern: String) throws(StorageError) -> [String: [UInt8]] {
    let (store, pattern) = (try store(), LikePattern(pattern))
    var found: [String: [UInt8]] = [:]
    for name in store.names where pattern.matches(name) { found[name] = try store.value(name) }
    return found
  }

  /// Gives a file another name; one that has that name goes.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func rename(_ name: String, to new: String) throws(StorageError) -> Bool {
    try store().rename(name, to: new)
  }

  /// Removes a file.
  public func remove(_ name: String) throws(StorageError) {
    try store().remove { $0.utf8.elementsEqual(name.utf8) }
  }

  /// Removes the files whose names a pattern of SQL's LIKE matches.
  public func remove(like pattern: String) throws(StorageError) {
    let pattern = LikePattern(pattern)
    try store().remove { pattern.matches($0) }
  }

  /// Removes all files.
  public func removeAll() throws(StorageError) { try store().remove { _ in true } }

  /// Tells whether there is a file.
  public func exists(_ name: String) throws(StorageError) -> Bool { try store().exists(name) }

  /// The names from the oldest to the newest.
  public var names: [String] {
    get throws(StorageError) { try store().names }
  }

  /// The number of files.
  public var count: Int {
    get throws(StorageError) { try store().count }
  }
}
