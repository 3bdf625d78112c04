import MPaaSSupport

/// The stores of a data center that are open, by their folders, so that two never have the same file.
struct OpenStores {
  private struct Opened { weak var store: KeyValueStore? }

  let options: KeyValueOptions
  /// The user who is signed in.
  var user: String?
  private var opened: [String: Opened] = [:]
  /// The latest four stores, which stay open while nothing uses them.
  private var kept: [(folder: String, store: KeyValueStore)] = []
  /// The number of times that a folder was emptied.
  private(set) var resets = 0

  init(options: KeyValueOptions) { self.options = options }

  /// The store of a folder, which is made where it is missing.
  mutating func store(in folder: String, note: (String) -> Void) throws(StorageError) -> KeyValueStore {
    if let store = opened[folder]?.store { return store }
    do throws(FileError) { try PrivateFolder.create(folder) } catch { throw StorageError(error) }
    let store = try KeyValueStore(path: folder + "/preferences.mpkv", options: options)
    note("opened \(FileSystem.name(of: folder))")
    opened = opened.filter { $0.value.store != nil }
    opened[folder] = Opened(store: store)
    kept.append((folder, store))
    if kept.count > 4 { kept.removeFirst() }
    return store
  }

  /// Closes the store of a folder where nothing else holds it.
  mutating func forget(_ folder: String) {
    opened[folder] = nil
    kept.removeAll { $0.folder == folder }
    resets += 1
  }
}
