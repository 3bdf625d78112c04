import MPaaSArchive
import MPaaSDatabase
import MPaaSDigests
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// Writes all of a data folder to one file while its server goes on.
///
/// The database is copied within one transaction that reads, then the blobs that the copy names: a blob is on the disk
/// before a row names it. Where one was removed meanwhile, so are the rows of the copy that name it.
struct ServerBackup {
  private let database: String
  private let folder: String
  private let known: Int
  /// The place elsewhere where the server has its blobs; nil for the data folder.
  private let place: String?

  /// - Parameter known: The number of steps of tables that this release knows.
  init(_ configuration: ServerConfiguration, known: Int) {
    self.known = known
    database = configuration.database ?? "\(configuration.data)/mpaas.sqlite"
    folder = configuration.data
    place = BlobPlace.noted(folder)
  }

  /// - Parameter time: Seconds since 1970.
  /// - Throws: `backup-blobs-elsewhere`, `server-schema-newer`, `migration-unfinished`, `SQLError`, `FileError`.
  func write(to file: String, at time: Double) throws -> BackupReport {
    if let place, place.hasPrefix("s3://") {
      throw ServerError(.backupElsewhere, ["blobs": place, "data": folder])
    }
    guard FileStatus(database) != nil else { throw FileError(.open, database, .noSuchFileOrDirectory) }
    let live = try DatabaseAddress.sqlite(path: database).open(.readOnly)
    let schema = try Self.schema(of: live, known: known)
    try UnfinishedMigration.check(live)
    let partial = try PartialFile(beside: file)
    let copy = partial.path + ".sqlite"
    defer { for end in ["", "-wal", "-shm", "-journal"] { try? FileSystem.remove(copy + end) } }
    try live.run("VACUUM INTO ?", [.text(copy)])
    do {
      let archive = try ArchiveWriter(.tarZstandard, into: partial)
      try archive.add(
        BackupHead.member, .file(isExecutable: false), [BackupMember.bytes(BackupHead(schema: schema, created: time))])
      let (count, size, gone) = try addBlobs(of: copy, to: archive)
      try Self.leaveOut(gone, of: copy, live)
      let bytes = try Bytes.mapping(copy)
      let end = BackupEnd(
        database: bytes.buffer.sha256.hexadecimal, blobs: count, bytes: size + Int64(clamping: bytes.count))
      try addRules(to: archive)
      try archive.add(BackupMember.database, .file(isExecutable: false), [bytes])
      try archive.add(BackupEnd.member, .file(isExecutable: false), [BackupMember.bytes(end)])
      try archive.finish()
      try partial.finish(mode: 0o600)
      return BackupReport(file: file, schema: schema, blobs: count, bytes: end.bytes)
    } catch let failure as ArchiveWriter.Failure {
      throw ServerError(.fault, ["reason": failure.reason])
    }
  }

  /// The number of steps that tables came by.
  ///
  /// - Throws: `server-schema-newer` where these are more than this release knows.
  static func schema(of database: any SQLDatabase, known: Int) throws -> Int {
    let version = try database.version()
    try check(version, of: database.path, known: known)
    return version
  }

  static func check(_ schema: Int, of file: String, known: Int) throws {
    guard schema <= known else {
      throw ServerError(.schemaNewer, ["file": file, "version": String(schema), "known": String(known)])
    }
  }

  /// The blobs that the copy names; gives their number and size, and those that are not there.
  private func addBlobs(
    of copy: String, to archive: ArchiveWriter
  ) throws -> (count: Int, size: Int64, gone: [String]) {
    let names = try DatabaseAddress.sqlite(path: copy).open(.readOnly).rows(
      """
      SELECT blob FROM uploads WHERE blob IS NOT NULL UNION SELECT blob FROM crashes WHERE blob IS NOT NULL
      UNION SELECT blob FROM crash_attachments UNION SELECT blob FROM builds ORDER BY 1
      """
    ) { $0.text(0) }
    let blobs = try BlobFolder(place ?? "\(folder)/blobs")
    var (count, size, gone) = (0, Int64(0), [String]())
    for name in names where BlobFolder.isName(name) {
      guard let bytes = try? Bytes.mapping(blobs.path(of: name)) else {
        gone.append(name)
        continue
      }
      try archive.add(BackupMember.name(ofBlob: name), .file(isExecutable: false), [bytes])
      count += 1
      size += Int64(clamping: bytes.count)
    }
    return (count, size, gone)
  }

  private func addRules(to archive: ArchiveWriter) throws {
    guard let rules = try? Bytes.mapping("\(folder)/\(BackupMember.rules)") else { return }
    try archive.add(BackupMember.rules, .file(isExecutable: false), [rules])
  }

  /// Removes the rows of the copy whose blobs were removed since it was made, and makes it one file.
  private static func leaveOut(_ gone: [String], of copy: String, _ live: any SQLDatabase) throws {
    let database = try DatabaseAddress.sqlite(path: copy).open()
    // Rows that the server itself has lost stay lost in the copy.
    for blob in gone where try !BlobFolder.isNamed(blob, in: live) {
      for crash in try database.rows("SELECT id FROM crashes WHERE blob = ?", [.text(blob)], { $0.integer(0) }) {
        try IssueStore.remove(crash: crash, in: database)
      }
      for table in ["uploads", "crash_attachments", "builds"] {
        try database.run("DELETE FROM \(table) WHERE blob = ?", [.text(blob)])
      }
    }
    try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    try database.run("PRAGMA journal_mode = DELETE")
  }
}

/// The outcome of a backup or of its restoration.
struct BackupReport: Presentable, Codable, Equatable {
  var file: String
  var schema: Int
  var blobs: Int
  var bytes: Int64
  /// The data folder, where one was restored.
  var data: String?

  func document(_ catalogue: Catalogue) -> Document {
    let values = [
      "file": file, "schema": String(schema), "blobs": String(blobs), "bytes": String(bytes), "data": data ?? "",
    ]
    let key = data == nil ? "text.server-backup" : "text.server-restored"
    return Document(lines: [StyledText(catalogue.text(key, values), .good)])
  }
}
