import CSQLite
import MPaaSSupport

extension SQLiteDatabase {
  /// Makes a file system for a database.
  static func fileSystem(
    _ path: String, _ key: DatabaseKey, creates: Bool = false
  ) throws(SQLiteError) -> PageFileSystem {
    guard let made = PageFileSystem(key, creates: creates) else {
      throw SQLiteError(.cannotOpen, ["file": path, "reason": "out of memory"])
    }
    return made
  }

  /// Makes an encrypted database without tables where nothing stands in its place.
  ///
  /// It has its name once it is whole, so that no process ever sees a part of it.
  static func makeEncrypted(_ path: String, _ key: DatabaseKey) throws(SQLiteError) {
    guard FileStatus(path) == nil else { return }
    let name = try unnamed(beside: path, key)
    defer { try? FileSystem.remove(name) }
    try SQLiteDatabase(name, .readWrite, fileSystem(name, key, creates: true)).layOut()
    do throws(FileError) {
      // A process that comes second takes the file of the first.
      try FileSystem.addName(path, to: name)
    } catch {
      throw SQLiteError(.cannotOpen, ["file": path, "reason": error.diagnostic.id.name])
    }
    FileSystem.settle(FileSystem.folder(of: path))
  }

  /// Makes a file with a header and no pages; its name is unique.
  static func unnamed(beside path: String, _ key: DatabaseKey) throws(SQLiteError) -> String {
    do throws(FileError) {
      let file = try OpenFile(unique: path, called: path)
      let name = file.path
      do throws(FileError) {
        try file.write(DatabaseHeader(key).page, at: 0)
        return name
      } catch {
        try? FileSystem.remove(name)
        throw error
      }
    } catch {
      throw SQLiteError(.cannotOpen, ["file": path, "reason": error.diagnostic.id.name])
    }
  }

  /// Writes the first page of a database that has none, for pages of our form and a log.
  func layOut() throws(SQLiteError) {
    try execute("PRAGMA page_size = \(MP_PAGE_SIZE)")
    _ = mp_sqlite_reserve(handle, MP_PAGE_RESERVED)
    try execute("PRAGMA journal_mode = WAL")
  }

  /// The error of a file system that encrypts; nil where it is none of its own.
  func pageRefusal(_ result: Int32) -> SQLiteError? {
    if result & 0xff == SQLITE_NOTADB, pages == nil, isEncryptedFile { return SQLiteError(.keyMissing, ["file": path]) }
    guard result == SQLITE_IOERR | 32 << 8 || result == SQLITE_IOERR | 28 << 8 else { return nil }
    return pages?.failure().flatMap { Self.refusal($0, path) }
  }

  static func refusal(_ failure: PageFileSystem.Failure, _ path: String) -> SQLiteError? {
    let number = String(failure.number)
    switch failure.outcome {
    case .done, .failed: return nil
    case .plain: return SQLiteError(.notEncrypted, ["file": path])
    case .keyWrong: return SQLiteError(.keyWrong, ["file": path])
    case .damaged, .keyUnknown:
      switch failure.part {
      case .page where failure.number == 0: return SQLiteError(.headerDamaged, ["file": path])
      case .page: return SQLiteError(.pageDamaged, ["file": path, "page": number])
      case .log: return SQLiteError(.frameDamaged, ["file": path + "-wal", "frame": number])
      }
    }
  }

  /// Tells whether the file of this plain connection is an encrypted database.
  private var isEncryptedFile: Bool {
    var start = [UInt8](repeating: 0, count: DatabaseHeader.magic.count)
    return mp_sqlite_read_start(handle, &start, Int32(start.count)) == SQLITE_OK && start == DatabaseHeader.magic
  }

  /// The forms of database files.
  package enum Form: Sendable {
    case plain, encrypted
    /// Encrypted, with pages of a former key.
    case changingKey
  }

  /// The form of a file by its first 16 bytes; nil where it is no database.
  package static func form(start bytes: [UInt8]) -> Form? {
    guard bytes.count >= 16 else { return nil }
    if bytes.starts(with: Array("SQLite format 3\0".utf8)) { return .plain }
    guard bytes.starts(with: DatabaseHeader.magic) else { return nil }
    return bytes[9] == 0 ? .encrypted : .changingKey
  }
}
