import CSQLite
import MPaaSSupport
package import MPaaSTime

extension SQLiteDatabase {
  /// Encrypts a plain database, or makes an encrypted one plain, while no other connection has it open.
  ///
  /// The other form is written beside it, checked, and takes its place with its name. What was plain may be found on the
  /// disk as long as nothing is written there.
  ///
  /// - Parameters:
  ///   - from: The key of the file; nil where it is plain.
  ///   - to: The key that it is encrypted with; nil for a plain file.
  /// - Throws: `SQLiteError` `database-busy` where another has it open; those of opening it.
  package static func convert(
    _ path: String, from: DatabaseKey?, to: DatabaseKey?, patience: TimeSpan = .seconds(10)
  ) throws(SQLiteError) {
    guard let status = FileStatus(path) else {
      throw SQLiteError(.cannotOpen, ["file": path, "reason": "no such file"])
    }
    let files = try from.map { key throws(SQLiteError) in try fileSystem(path, key) }
    let source = try SQLiteDatabase(path, .readWrite, files, flags: SQLITE_OPEN_URI)
    source.wait(patience)
    try source.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
    let name: String
    if let to { name = try unnamed(beside: path, to) } else { name = try emptyFile(beside: path) }
    do throws(SQLiteError) {
      try source.copy(to: name, try to.map { key throws(SQLiteError) in try fileSystem(name, key, creates: true) })
      try source.give(path, to: name, status)
    } catch {
      for end in ["", "-wal", "-shm"] { try? FileSystem.remove(name + end) }
      throw error
    }
  }

  private static func emptyFile(beside path: String) throws(SQLiteError) -> String {
    do throws(FileError) { return try OpenFile(unique: path, called: path).path } catch {
      throw SQLiteError(.cannotOpen, ["file": path, "reason": error.diagnostic.id.name])
    }
  }

  /// Writes all that the database holds to a file without pages, and checks it.
  private func copy(to name: String, _ files: PageFileSystem?) throws(SQLiteError) {
    let system = files?.name ?? sqlite3_vfs_find(nil).flatMap { $0.pointee.zName }.map { String(cString: $0) } ?? "unix"
    // The size of pages takes back what was reserved before.
    try execute("PRAGMA page_size = \(MP_PAGE_SIZE)")
    if files != nil { _ = mp_sqlite_reserve(handle, MP_PAGE_RESERVED) }
    try run("VACUUM INTO ?", [.text("file:\(Self.encoded(name))?vfs=\(system)")])
    let copy = try SQLiteDatabase(name, .readWrite, files)
    try copy.execute("PRAGMA journal_mode = WAL")
    let verdict = try copy.row("PRAGMA integrity_check(1)") { $0.text(0) }
    guard verdict == "ok" else { throw SQLiteError(.damaged, ["file": path, "reason": verdict ?? ""]) }
  }

  /// A path in a URI (Uniform Resource Identifiers, SQLite): what ends it or begins an escape is escaped.
  private static func encoded(_ path: String) -> String {
    PercentEncoding.encode(path, keeping: "/")
  }

  /// Has another file take the place of this one, which is locked until the connection is closed.
  private func give(_ path: String, to name: String, _ status: FileStatus) throws(SQLiteError) {
    // This connection's log is empty, and must not take that of the new file along when it closes.
    var persists: Int32 = 1
    _ = sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &persists)
    do throws(FileError) {
      let file = try OpenFile(name, .writing, called: path)
      file.permit(status.permissions)
      try file.settle()
      for end in ["-wal", "-shm"] where FileStatus(path + end) != nil { try FileSystem.remove(path + end) }
      try FileSystem.rename(name, to: path)
    } catch {
      throw SQLiteError(.cannotOpen, ["file": path, "reason": error.diagnostic.id.name])
    }
    FileSystem.settle(FileSystem.folder(of: path))
  }
}
