import MPaaSLock
import MPaaSSupport

/// Values by business and key in one file: all keys in memory, each change a record at the file's end.
///
/// A damaged record costs itself alone. Values survive the end of the process as soon as `set` returns, and with
/// `.power` a loss of power. Threads may use one store at once, and processes one file.
///
///     let store = try KeyValueStore(path: folder + "/settings.mpkv")
///     try store.set(3, forKey: "launches", business: "app")
///     let launches = try store.integer(forKey: "launches", business: "app") ?? 0
public final class KeyValueStore: Sendable {
  let core: Lock<KeyValueCore>
  /// The file, as errors name it.
  let path: String
  private let durability: KeyValueOptions.Durability
  private let synced: Lock<LogPlace>

  /// Opens a file, or makes it.
  ///
  /// - Throws: `StorageError` where the file is none of a store's, the key is not its own, or another process has it.
  public convenience init(path: String, options: KeyValueOptions = KeyValueOptions()) throws(StorageError) {
    try self.init(path: path, options: options, in: .disk)
  }

  package init(
    path: String, options: KeyValueOptions, in folder: KeyValueFolder, isReadOnly: Bool = false
  ) throws(StorageError) {
    let path = FileSystem.resolved(path) ?? path
    self.path = path
    core = Lock(try KeyValueCore(path, options, folder, isReadOnly: isReadOnly))
    durability = options.durability
    synced = Lock(LogPlace(generation: 0, end: 0))
  }

  /// Opens a file that is only read; it is not changed, and not waited for.
  ///
  /// - Throws: `StorageError` where the file is missing or none of a store's, or the key is not its own.
  public static func reading(path: String, key: StorageKey? = nil) throws(StorageError) -> KeyValueStore {
    try KeyValueStore(path: path, options: KeyValueOptions(key: key), in: .disk, isReadOnly: true)
  }

  /// The damage that was found when the file was opened.
  public var report: KeyValueReport {
    core.withLock { core in
      var report = core.report
      report.keys = core.index.count
      return report
    }
  }

  /// Changes the store with its lock and the file's held, and has it last as long as was asked for.
  func change<Result: Sendable>(
    _ body: (KeyValueCore) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    var place = LogPlace(generation: 0, end: 0)
    let result = try core.withLock { core throws(StorageError) -> Result in
      try core.beginWriting()
      defer { core.endWriting() }
      let result = try body(core)
      core.compactIfWorthIt()
      place = LogPlace(generation: core.header.generation, end: core.end)
      return result
    }
    if durability == .power { try settle(place) }
    return result
  }

  /// Waits until the log is on the disk up to a place; those who come meanwhile wait for the next time together.
  private func settle(_ place: LogPlace) throws(StorageError) {
    // Nothing but waiting for the disk is done under this lock, and nothing else needs it.
    try synced.withLock { synced throws(StorageError) in
      if synced >= place { return }
      let (file, reached) = core.withLock { core in
        (core.file, LogPlace(generation: core.header.generation, end: core.end))
      }
      do throws(FileError) { try file.sync() } catch { throw StorageError(error) }
      synced = reached
    }
  }

  /// Has all changes so far on the disk.
  public func synchronize() throws(StorageError) {
    let file = core.withLock { core in core.file }
    do throws(FileError) { try file.sync() } catch { throw StorageError(error) }
  }

  /// Writes what is still there into a new file, which takes the place of this one.
  public func compact() throws(StorageError) {
    try change { core throws(StorageError) in try core.compact(key: core.options.key) }
  }

  /// Encrypts everything with another key, or with none; until it is done, the file is the old one.
  public func changeKey(to key: StorageKey?) throws(StorageError) {
    try change { core throws(StorageError) in try core.compact(key: key) }
  }
}

/// A place in the logs that follow one another under a path.
struct LogPlace: Sendable, Comparable {
  let generation: UInt32
  let end: UInt64

  static func < (left: LogPlace, right: LogPlace) -> Bool {
    (left.generation, left.end) < (right.generation, right.end)
  }
}
