import MPaaSLock
import MPaaSSupport

extension DataCenter {
  /// The store of what belongs to no user.
  public var common: KeyValueStore {
    get throws(StorageError) { try store(in: folders.common) }
  }

  /// The store of the user who is signed in; nil where none is.
  ///
  /// The store that it returned stays with its user: take it anew for each piece of work.
  public var user: KeyValueStore? {
    get throws(StorageError) {
      try state.withLock { state throws(StorageError) in
        guard let user = state.user else { return nil }
        return try state.store(in: folders.user(user)) { note($0) }
      }
    }
  }

  /// The store of any user, whether signed in or not.
  public func storage(forUser id: String) throws(StorageError) -> KeyValueStore { try store(in: folders.user(id)) }

  /// A store that is empty at the first start of each version of the app.
  public var currentVersionStorage: KeyValueStore {
    get throws(StorageError) { try store(in: folders.version(appVersion)) }
  }

  /// The folder of a user's files: stores, databases, arrays.
  public func folder(forUser id: String) -> String { folders.user(id) }

  /// The folder of the files that belong to no user.
  public var commonFolder: String { folders.common }

  /// The stores as one business sees them.
  public func business(_ name: String) -> BusinessAccessor { BusinessAccessor(center: self, business: name) }

  /// Removes all that is stored of a user; a store that is still held must not be used any more.
  public func reset(user id: String) throws(StorageError) { try reset([folders.user(id)]) }

  /// Removes all that is stored, of all users; take care.
  public func reset() throws(StorageError) {
    let names: [String]
    do throws(FileError) { names = try FileSystem.names(in: root) } catch { throw StorageError(error) }
    try reset(names.filter(StorageFolders.isOurs).map { root + "/" + $0 })
  }

  private func reset(_ all: [String]) throws(StorageError) {
    try state.withLock { state throws(StorageError) in
      for folder in all {
        state.forget(folder)
        note("emptied \(FileSystem.name(of: folder))")
        do throws(FileError) { try folders.discard(folder) } catch { throw StorageError(error) }
      }
    }
  }

  private func store(in folder: String) throws(StorageError) -> KeyValueStore {
    try state.withLock { state throws(StorageError) in try state.store(in: folder) { note($0) } }
  }
}

extension StorageFolders {
  /// Tells whether a name in the root is that of a folder of a data center.
  static func isOurs(_ name: String) -> Bool {
    name == "common" || name.hasPrefix("user-") || name.hasPrefix("version-")
  }
}
