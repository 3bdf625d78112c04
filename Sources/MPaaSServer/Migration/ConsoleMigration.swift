import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// Moves all rows of a console from one database to another, while no server works on either.
///
/// Rows go in pages by primary key, each page in one transaction with the place behind it, so that whatever ends the
/// migration leaves a whole state, and the next call goes on. At the end all tables of both are compared; until they are
/// alike, no server takes the target.
struct ConsoleMigration {
  private let configuration: ServerConfiguration
  private let steps: [String]
  private let rows: Int

  /// - Parameters:
  ///   - configuration: Has the data folder, its database, and the one to migrate to.
  ///   - steps: How the tables came to be, one step after the other.
  ///   - rows: The rows of a page.
  init(_ configuration: ServerConfiguration, steps: [String], rows: Int = 2000) {
    (self.configuration, self.steps, self.rows) = (configuration, steps, rows)
  }

  /// - Parameters:
  ///   - progress: Makes a bar for so many rows, each of which is copied and read on both sides.
  ///   - isEnded: Asked before each page.
  /// - Throws: `server-folder-in-use`, `migration-same-database`, `migration-no-console`, `migration-unfinished`,
  ///   `migration-target-taken`, `migration-other-console`, `migration-differs`, `migration-interrupted`,
  ///   `server-schema-newer`, `server-database-taken`, `SQLError`, `FileError`.
  func run(
    _ progress: (UInt64) -> Progress? = { _ in nil }, isEnded: @escaping () -> Bool = { false }
  ) throws -> MigrationReport {
    let start = ContinuousClock.now
    let data = configuration.data
    guard FileStatus(data) != nil else { throw FileError(.open, data, .noSuchFileOrDirectory) }
    let lock = try DataFolderLock(data)
    defer { withExtendedLifetime(lock) {} }
    let (source, target) = try opened()
    let tables = try SQLTable.all(of: steps)
    let total = try tables.reduce(UInt64(0)) { sum, table in
      try sum + (source.row("SELECT count(*) FROM \(table.quoted)") { UInt64(clamping: $0.integer(0)) } ?? 0)
    }
    let bar = progress(total * 3)
    defer { bar?.finish() }
    let work = MigrationWork(
      source: source, target: MigrationTarget(database: target), rows: rows, bar: bar, isEnded: isEnded)
    let copied = try tables.reduce(0) { try $0 + work.copy($1) }
    let compared = try work.compare(tables)
    try work.target.finish()
    return MigrationReport(
      from: source.path, to: target.path, data: data, schema: steps.count, tables: tables.count, rows: compared,
      copied: copied, seconds: (ContinuousClock.now - start) / .seconds(1), isFile: !target.isRemote)
  }

  /// Opens both databases; nothing is written before both are known to be right.
  private func opened() throws -> (source: any SQLDatabase, target: any SQLDatabase) {
    let (from, to) = (configuration.database ?? "\(configuration.data)/mpaas.sqlite", configuration.migrate ?? "")
    let (first, second) = (DatabaseAddress(from), DatabaseAddress(to))
    guard first != second, FileStatus(from) == nil || FileStatus(from)?.identity != FileStatus(to)?.identity else {
      throw ServerError(.migrationSame, ["file": first.shown])
    }
    if first.isFile, FileStatus(from) == nil { throw FileError(.open, from, .noSuchFileOrDirectory) }
    let source = try first.open()
    try check(source)
    try UnfinishedMigration.check(source)
    guard try source.version() > 0 else { throw ServerError(.migrationNoConsole, ["file": source.path]) }
    let target = try second.open()
    let mark = try check(target: target)
    try source.migrate(steps)
    let name = DataFolderName(configuration.data)
    try name.claim(source)
    if source.isRemote, let other = try ServerSession.other(than: name.own, in: source) {
      throw ServerError(.databaseTaken, ["file": source.path, "name": other, "own": name.file])
    }
    if let mark, mark.folder != name.own {
      throw ServerError(.migrationOther, ["file": target.path, "source": mark.source, "data": configuration.data])
    }
    try target.migrate(steps)
    if mark == nil {
      try MigrationTarget(database: target).begin(UnfinishedMigration(folder: name.own ?? "", source: source.path))
    }
    return (source, target)
  }

  /// - Throws: `server-schema-newer`.
  private func check(_ database: any SQLDatabase) throws {
    let version = try database.version()
    guard version > steps.count else { return }
    throw ServerError(
      .schemaNewer, ["file": database.path, "version": String(version), "known": String(steps.count)])
  }

  /// Passes a target without rows, or with the mark of a migration, which it gives.
  private func check(target: any SQLDatabase) throws -> UnfinishedMigration? {
    try check(target)
    if let mark = try UnfinishedMigration.mark(of: target) { return mark }
    for table in try SQLTable.all(of: Array(steps.prefix(target.version()))) {
      guard try target.row("SELECT 1 FROM \(table.quoted) LIMIT 1", [], { _ in true }) == nil else {
        throw ServerError(.migrationTaken, ["file": target.path, "table": table.name])
      }
    }
    return nil
  }
}

/// The work on tables once both databases are open.
private struct MigrationWork {
  let source: any SQLDatabase
  let target: MigrationTarget
  /// The rows of a page.
  let rows: Int
  let bar: Progress?
  let isEnded: () -> Bool

  /// Copies the rows of a table that are not there yet.
  ///
  /// - Returns: Their number.
  func copy(_ table: SQLTable) throws -> Int64 {
    var place = try target.place(of: table)
    bar?.advance(by: UInt64(clamping: place.rows))
    guard place.state == .copying else { return 0 }
    let before = place.rows
    let pages = TablePages(table: table, database: source, most: rows)
    while true {
      try goOn()
      guard let page = try pages.page(after: place.last) else { break }
      place.last = page.last
      place.rows += Int64(page.rows.count)
      try target.add(page.rows, place, to: table)
      bar?.advance(by: UInt64(page.rows.count))
    }
    place.state = .copied
    try target.add([], place, to: table)
    return place.rows - before
  }

  /// Compares all tables.
  ///
  /// - Returns: The number of their rows.
  /// - Throws: `migration-differs`; the tables are copied anew by the next call.
  func compare(_ tables: [SQLTable]) throws -> Int64 {
    var count: Int64 = 0
    var differing: [SQLTable] = []
    for table in tables {
      let (first, second) = (try digest(of: table, in: source), try digest(of: table, in: target.database))
      count += first.rows
      if first != second { differing.append(table) }
    }
    if differing.isEmpty { return count }
    try target.noteDiffering(differing)
    let names = differing.map(\.name).joined(separator: ", ")
    throw ServerError(
      .migrationDiffers, ["tables": names, "source": source.path, "file": target.database.path])
  }

  private func digest(of table: SQLTable, in database: any SQLDatabase) throws -> TableDigest {
    let pages = TablePages(table: table, database: database, most: rows)
    var digest = TableDigest()
    var last: [SQLValue]?
    while true {
      try goOn()
      guard let page = try pages.page(after: last) else { return digest }
      for row in page.rows { digest.add(row) }
      last = page.last
      bar?.advance(by: UInt64(page.rows.count))
    }
  }

  private func goOn() throws {
    if isEnded() { throw ServerError(.migrationInterrupted, ["file": target.database.path]) }
  }
}
