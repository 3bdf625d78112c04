import CSQLite
import MPaaSSupport
package import MPaaSTime

extension SQLiteDatabase {
  /// Encrypts an encrypted database with another key; other connections, and other processes, go on meanwhile.
  ///
  /// The header names a new generation of the key, with which everything is written from then on. Then all pages are
  /// written again, in one transaction, so that the log needs room for all of them. Until the last page is done, both
  /// keys open the database, and a process that was ended meanwhile leaves it so: the next call goes on.
  ///
  /// - Parameter patience: How long it waits for readers of what was before.
  /// - Throws: `SQLiteError` `database-busy` where it is not over; `database-key-wrong` where this connection was opened
  ///   with a key that is not the newest any more; `database-not-encrypted`.
  package func changeKey(to key: DatabaseKey, patience: TimeSpan = .seconds(10)) throws(SQLiteError) {
    guard pages != nil else { throw SQLiteError(.notEncrypted, ["file": path]) }
    // One that was begun before, perhaps with a third key, comes to its end first.
    if try header().former != nil { try finishChange(try newestKey(or: key), patience) }
    if try header().current.fits(key) { return }
    try beginChange(to: key)
    try finishChange(key, patience)
  }

  /// Tells whether the database is being encrypted anew, or was when a process ended.
  package var isChangingKey: Bool { (try? header().former) != nil }

  /// A key that opens the database: this connection's, which may be the former one.
  private func newestKey(or key: DatabaseKey) throws(SQLiteError) -> DatabaseKey {
    let header = try header()
    let keys = [pages?.key, key].compactMap(\.self)
    let newest = keys.first { header.current.fits($0) }
    guard let found = newest ?? keys.first(where: { header.former?.fits($0) == true }) else {
      throw SQLiteError(.keyWrong, ["file": path])
    }
    return found
  }

  private func header() throws(SQLiteError) -> DatabaseHeader {
    var page = [UInt8](repeating: 0, count: DatabaseHeader.size)
    let result = sqlite3_file_control(handle, "main", Int32(MP_CONTROL_READ_HEADER), &page)
    guard result == SQLITE_OK else { throw error(result) }
    guard let header = DatabaseHeader(page) else { throw SQLiteError(.headerDamaged, ["file": path]) }
    return header
  }

  private func write(_ header: DatabaseHeader) throws(SQLiteError) {
    var page = header.page
    let result = sqlite3_file_control(handle, "main", Int32(MP_CONTROL_WRITE_HEADER), &page)
    guard result == SQLITE_OK else { throw error(result) }
  }

  /// Changes the header while nothing else can be written.
  private func changeHeader(_ change: (inout DatabaseHeader) throws(SQLiteError) -> Void) throws(SQLiteError) {
    try execute("BEGIN IMMEDIATE")
    defer { try? execute("ROLLBACK") }
    var header = try header()
    try change(&header)
    try write(header)
  }

  private func beginChange(to key: DatabaseKey) throws(SQLiteError) {
    try changeHeader { header throws(SQLiteError) in
      guard let own = pages?.key, header.former == nil, header.current.fits(own) else {
        throw SQLiteError(.keyWrong, ["file": path])
      }
      var (old, new) = (header.current, KeySlot(header.current.generation &+ 1, key))
      do {
        try new.wrap(old.pageKey(own), of: old.generation, key, header.id)
        try old.wrap(new.pageKey(key), of: new.generation, own, header.id)
      } catch {
        throw SQLiteError(.failed, ["file": path, "reason": "cipher"])
      }
      (header.current, header.former) = (new, old)
    }
  }

  /// Writes all pages that are of the former generation, and then forgets that.
  private func finishChange(_ key: DatabaseKey, _ patience: TimeSpan) throws(SQLiteError) {
    let deadline = MonotonicInstant.now + patience
    let writer = try SQLiteDatabase(path, patience: patience, key: key)
    while try !writer.forgetFormer(until: deadline) {
      try writer.writeAllPages(from: try SQLiteDatabase(path, patience: patience, key: key), until: deadline)
    }
  }

  /// Has all that is in the log in the file, and the log empty.
  private func emptyLog(until deadline: MonotonicInstant) throws(SQLiteError) {
    while try row("PRAGMA wal_checkpoint(TRUNCATE)", [], { $0.integer(0) }) != 0 {
      guard MonotonicInstant.now < deadline else { throw SQLiteError(.busy, ["file": path]) }
      sqlite3_sleep(5)
    }
  }

  /// Forgets the former key where no page is of it.
  private func forgetFormer(until deadline: MonotonicInstant) throws(SQLiteError) -> Bool {
    // The log may hold pages of the former generation.
    try emptyLog(until: deadline)
    var isDone = false
    try changeHeader { header throws(SQLiteError) in
      var count = mp_generation_count(generation: header.current.generation, others: 0)
      let result = sqlite3_file_control(handle, "main", Int32(MP_CONTROL_COUNT_OTHERS), &count)
      guard result == SQLITE_OK else { throw error(result) }
      guard count.others == 0 else { return }
      isDone = true
      header.former = nil
      header.current.wrapped = [UInt8](repeating: 0, count: KeySlot.wrappedSize)
    }
    return isDone
  }

  /// Copies the database onto itself, so that each page is written.
  private func writeAllPages(from source: SQLiteDatabase, until deadline: MonotonicInstant) throws(SQLiteError) {
    guard let copy = sqlite3_backup_init(handle, "main", source.handle, "main") else { throw error(SQLITE_ERROR) }
    var result = sqlite3_backup_step(copy, -1)
    while result & 0xff == SQLITE_BUSY || result & 0xff == SQLITE_LOCKED, MonotonicInstant.now < deadline {
      sqlite3_sleep(5)
      result = sqlite3_backup_step(copy, -1)
    }
    let end = sqlite3_backup_finish(copy)
    guard result == SQLITE_DONE, end == SQLITE_OK else { throw error(end == SQLITE_OK ? result : end) }
  }
}
