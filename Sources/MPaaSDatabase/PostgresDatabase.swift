import MPaaSSupport

/// A database of a server of PostgreSQL, or of one that speaks as it does.
///
/// Statements that give no rows are sent and waited for with the next one that does, or with the end of the change: what
/// one of them did wrong is told there.
final class PostgresDatabase: SQLDatabase {
  /// The table of one row by which one transaction at a time writes, and tables have a version.
  private static let lock = "mpaas_schema"
  /// Tries to make that table beside another server that does the same.
  private static let mostTries = 10

  let path: String
  private let address: PostgresAddress
  private let access: DatabaseAddress.Access
  private var link: PostgresLink
  private var isInTransaction = false
  /// The error of a statement that was not waited for; told by the next call.
  private var failure: SQLError?

  init(_ address: PostgresAddress, _ access: DatabaseAddress.Access) throws(SQLError) {
    (self.address, self.access, path) = (address, access, address.shown)
    link = try Self.connected(address, access)
  }

  private static func connected(
    _ address: PostgresAddress, _ access: DatabaseAddress.Access
  ) throws(SQLError) -> PostgresLink {
    let link = try PostgresLink(address, access)
    var settings = [
      "SET client_min_messages = error", "SET standard_conforming_strings = on",
      // A server that hangs within a transaction keeps others from writing no longer than this.
      "SET idle_in_transaction_session_timeout = '60s'", "SET lock_timeout = '30s'",
      "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED",
    ]
    if access == .readOnly {
      settings.append("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
    } else {
      // Plans are kept; those of a time when a table was small would read all of it once it is large.
      settings.append("SET enable_seqscan = off")
      // Rows of sets are written often, and pglz takes most of the time of that. Not all servers have the other one.
      settings.append(
        """
        SELECT set_config(name, 'lz4', false) FROM pg_settings
        WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)
        """)
    }
    for setting in settings { try link.send(text: setting) }
    try link.settle()
    return link
  }

  var isLost: Bool { link.isLost }
  var isRemote: Bool { true }
  private(set) var writes = 0

  func reconnect() throws(SQLError) {
    failure = nil
    isInTransaction = false
    link = try Self.connected(address, access)
  }

  var changes: Int {
    do throws(SQLError) { try link.settle() } catch { failure = failure ?? error }
    return failure == nil ? link.changes : 0
  }

  func run(_ sql: String, _ values: [SQLValue]) throws(SQLError) {
    writes += 1
    try tellFailure()
    try link.send(sql, values)
    // Statements that are waited for together are one transaction where no other one is open.
    if !isInTransaction { try link.settle() }
  }

  func forEach(_ sql: String, _ values: [SQLValue], _ take: (SQLRow) -> Bool) throws(SQLError) {
    try forEach([SQLQuery(sql, values)], take)
  }

  func forEach(_ queries: [SQLQuery], _ take: (SQLRow) -> Bool) throws(SQLError) {
    try tellFailure()
    for query in queries {
      if !query.isReading { writes += 1 }
      try link.send(query.sql, query.values, isAsked: true)
    }
    for result in try link.settle() {
      for row in 0..<result.rowCount {
        guard take(SQLRow(PostgresRow(result: result.pointer, row: row))) else { return }
      }
    }
  }

  private func tellFailure() throws(SQLError) {
    guard let failure else { return }
    self.failure = nil
    throw failure
  }

  /// Waits for what was sent, and passes over what it did wrong.
  private func passOver() {
    failure = nil
    _ = try? link.settle()
  }

  // MARK: - Transactions

  func begin() throws(SQLError) {
    passOver()
    try link.send("BEGIN", [])
    isInTransaction = true
    // One writer at a time, as with SQLite: numbers that follow one another are taken in the order of the commits.
    try link.send("SELECT version FROM \(Self.lock) WHERE id = 1 FOR UPDATE", [])
  }

  func prepareCommit() throws(SQLError) { try settle() }

  func commit() throws(SQLError) {
    try settle()
    try link.send("COMMIT", [], isAsked: true)
    isInTransaction = false
    guard try link.settle().last?.tag == "COMMIT" else {
      throw SQLError(.failed, ["file": path, "reason": "ROLLBACK"])
    }
  }

  func rollback() {
    isInTransaction = false
    passOver()
    guard !link.isLost else { return }
    do throws(SQLError) { try link.send("ROLLBACK", []) } catch { return }
    passOver()
  }

  func mark() throws(SQLError) {
    try tellFailure()
    try link.send("SAVEPOINT change", [])
  }

  func release() throws(SQLError) {
    try settle()
    try link.send("RELEASE SAVEPOINT change", [])
  }

  func takeBack() throws(SQLError) {
    passOver()
    try link.send("ROLLBACK TO SAVEPOINT change", [])
    try link.send("RELEASE SAVEPOINT change", [])
  }

  func erasing<Value>(_ body: () throws -> Value) throws -> Value { try body() }
  func usedBytes() -> Int64? { nil }

  private func settle() throws(SQLError) {
    try tellFailure()
    try link.settle()
  }

  // MARK: - Tables

  func migrate(_ steps: [String]) throws(SQLError) {
    var tries = 0
    while try !isLockThere() {
      do throws(SQLError) {
        try makeLock()
      } catch {
        // Another server makes it at the same time.
        tries += 1
        guard tries < Self.mostTries, [.constraint, .contention, .failed].contains(error.code) else { throw error }
      }
    }
    while true {
      let version = try version()
      guard version <= steps.count else {
        throw SQLError(.newer, ["file": path, "version": String(version)])
      }
      if version == steps.count { return }
      do throws(SQLError) {
        try take(steps[version], at: version)
      } catch {
        tries += 1
        guard tries < Self.mostTries, error.code == .contention else { throw error }
      }
    }
  }

  private func isLockThere() throws(SQLError) -> Bool {
    guard try hasTable(Self.lock) else { return false }
    // The server that makes it may not have put its row in yet, without which nothing is locked.
    return try row("SELECT 1 FROM \(Self.lock) WHERE id = 1") { _ in true } ?? false
  }

  func hasTable(_ name: String) throws(SQLError) -> Bool {
    try row("SELECT to_regclass(?) IS NOT NULL", [.text(name)]) { $0.integer(0) == 1 } ?? false
  }

  private func makeLock() throws(SQLError) {
    try run(
      "CREATE TABLE IF NOT EXISTS \(Self.lock) (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL)", [])
    try run("INSERT INTO \(Self.lock) (id, version) VALUES (1, 0) ON CONFLICT DO NOTHING", [])
    try settle()
  }

  func version() throws(SQLError) -> Int {
    guard try hasTable(Self.lock) else { return 0 }
    return try row("SELECT version FROM \(Self.lock) WHERE id = 1") { Int($0.integer(0)) } ?? 0
  }

  /// Takes one step of the tables, unless another server was faster.
  private func take(_ step: String, at version: Int) throws(SQLError) {
    do throws(SQLError) {
      try begin()
      if try self.version() == version {
        for statement in PostgresText(step, isNull: { _ in true }).statements { try link.send(text: statement) }
        try run("UPDATE \(Self.lock) SET version = ? WHERE id = 1", [.integer(version + 1)])
      }
      try commit()
    } catch {
      rollback()
      throw error
    }
  }
}
