import MPaaSLock
import MPaaSSupport

/// The storage of a business in a folder of its own, with stores and arrays of all and of the data center's users.
///
///     let contacts = try center.customStorage(named: "Contacts")
///     let voices = contacts.fileArray(named: "voices", ofUser: true, capacity: 1000)
///     try voices.write(bytes, name: "1")
public final class CustomStorage: Sendable {
  private let center: DataCenter
  private let stores: DataCenter
  private let arrays = Lock(OpenArrays())

  /// Creates the storage in a folder, which is made where it is missing.
  ///
  /// - Parameters:
  ///   - folder: The folder, which is made where it is missing.
  ///   - center: The data center whose user it follows.
  ///   - options: The options of its key-value stores.
  public init(
    folder: String, center: DataCenter, options: KeyValueOptions = KeyValueOptions()
  ) throws(StorageError) {
    self.center = center
    stores = try DataCenter(root: folder, appVersion: center.appVersion, options: options)
  }

  /// The folder.
  public var folder: String { stores.root }

  /// The store of what belongs to no user.
  public var common: KeyValueStore {
    get throws(StorageError) { try stores.common }
  }

  /// The store of the user who is signed in at the data center; nil where none is.
  public var user: KeyValueStore? {
    get throws(StorageError) {
      guard let user = center.currentUser else { return nil }
      return try stores.storage(forUser: user)
    }
  }

  /// Many files by name.
  ///
  /// - Parameters:
  ///   - name: The name of the array.
  ///   - isOfUser: True for those of the user who is signed in at each call, false for those of all.
  ///   - capacity: The number of files; 0 for any.
  ///   - key: Encrypts them.
  public func fileArray(
    named name: String, ofUser isOfUser: Bool, capacity: Int, key: StorageKey? = nil
  ) -> FileArray {
    FileArray(capacity: max(capacity, 0)) { () throws(StorageError) in
      try self.array("files", name, isOfUser, key)
    }
  }

  /// Many values of a type by key.
  ///
  /// - Parameters:
  ///   - type: The type of the objects.
  ///   - name: The name of the array.
  ///   - isOfUser: True for those of the user who is signed in at each call, false for those of all.
  ///   - capacity: The number of values; 0 for any.
  ///   - cacheCapacity: The number of values that are kept in memory, too; 0 for none.
  ///   - key: Encrypts them.
  public func objectArray<Value: Codable & Sendable>(
    of type: Value.Type, named name: String, ofUser isOfUser: Bool, capacity: Int, cacheCapacity: Int = 0,
    key: StorageKey? = nil
  ) -> ObjectArray<Value> {
    ObjectArray(capacity: max(capacity, 0), cacheCapacity: cacheCapacity) { () throws(StorageError) in
      try self.array("objects", name, isOfUser, key)
    }
  }

  private func array(
    _ kind: String, _ name: String, _ isOfUser: Bool, _ key: StorageKey?
  ) throws(StorageError) -> ArrayStore {
    var folder = stores.commonFolder
    if isOfUser {
      guard let user = center.currentUser else { throw StorageError(.userMissing, ["name": name]) }
      folder = stores.folder(forUser: user)
    }
    let path = "\(folder)/\(kind)-\(StorageFolders.digest(name)).mpkv"
    return try arrays.withLock { arrays throws(StorageError) in try arrays.store(path, key) }
  }

  /// Removes all that is stored of a user.
  public func reset(user id: String) throws(StorageError) {
    try arrays.withLock { arrays throws(StorageError) in
      arrays.forget(in: stores.folder(forUser: id))
      try stores.reset(user: id)
    }
  }
}

/// The arrays that are open, by their files: two never have the same one.
struct OpenArrays {
  private struct Opened { weak var store: ArrayStore? }

  private var opened: [String: Opened] = [:]
  /// The latest ones, which stay open between calls.
  private var kept: [ArrayStore] = []

  mutating func store(_ path: String, _ key: StorageKey?) throws(StorageError) -> ArrayStore {
    if let store = opened[path]?.store { return store }
    let store = try ArrayStore(path: path, key: key)
    opened = opened.filter { $0.value.store != nil }
    opened[path] = Opened(store: store)
    kept.append(store)
    if kept.count > 8 { kept.removeFirst() }
    return store
  }

  mutating func forget(in folder: String) {
    opened = opened.filter { !$0.key.hasPrefix(folder + "/") }
    kept.removeAll { $0.path.hasPrefix(folder + "/") }
  }
}

extension DataCenter {
  /// The storage of a business in a folder of this name beside the data center's own.
  ///
  /// - Throws: `StorageError` where the name is no plain one, or the folder cannot be made.
  public func customStorage(
    named name: String, options: KeyValueOptions = KeyValueOptions()
  ) throws(StorageError) -> CustomStorage {
    let folder = FileSystem.folder(of: root)
    guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(0x2f), !name.utf8.contains(0),
      folder + "/" + name != root
    else { throw StorageError(.pathOutside, ["path": name]) }
    return try CustomStorage(folder: folder + "/" + name, center: self, options: options)
  }
}

extension StorageError.Code {
  /// Something is a user's, and none is signed in.
  package static var userMissing: Self { StorageError.Code("storage-user-missing", exit: .negative) }
}
