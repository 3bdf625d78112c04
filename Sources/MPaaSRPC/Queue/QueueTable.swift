import MPaaSSQLite
import MPaaSSupport

/// The table of calls that wait, and of keys that were answered.
final class QueueTable {
  private let database: SQLiteDatabase

  /// The number of answered keys that are remembered.
  private static let rememberedKeys = 10_000

  private static let steps = [
    """
    CREATE TABLE calls (
      number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, content BLOB NOT NULL, data BLOB NOT NULL,
      added REAL NOT NULL, failures INTEGER NOT NULL DEFAULT 0, error TEXT);
    CREATE TABLE answered (key TEXT PRIMARY KEY, number INTEGER NOT NULL, moment REAL NOT NULL) WITHOUT ROWID;
    CREATE INDEX answered_number ON answered (number);
    """
  ]

  init(_ path: String) throws {
    try StorePlace.prepare(path)
    // Added calls survive the loss of power, too.
    database = try SQLiteDatabase(path, durability: .full)
    try database.migrate(Self.steps)
  }

  /// Adds a call; false where its key is known, nil where there is no room.
  func add(_ call: RPCCall, key: String, at now: Double, limit: Int) throws -> Bool? {
    try database.transaction {
      let known = try database.row(
        "SELECT 1 FROM calls WHERE key = ?1 UNION ALL SELECT 1 FROM answered WHERE key = ?1", [.text(key)]
      ) { _ in true }
      if known == true { return false }
      let count = try database.row("SELECT count(*) FROM calls") { Int($0.integer(0)) } ?? 0
      guard count < limit else { return nil }
      try database.run(
        "INSERT INTO calls (key, content, data, added) VALUES (?, ?, ?, ?)",
        [.text(key), .blob(QueuedContent(call).bytes), .blob(call.data), .real(now)])
      return true
    }
  }

  private static let columns = "SELECT number, key, content, data, added, failures, error FROM calls ORDER BY number"

  /// The call that has waited longest.
  func next() throws -> RPCQueuedCall? {
    try database.row(Self.columns + " LIMIT 1", [], Self.call)
  }

  func waiting() throws -> [RPCQueuedCall] { try database.rows(Self.columns, [], Self.call) }

  private static func call(_ row: SQLiteRow) -> RPCQueuedCall {
    let key = row.text(1)
    return RPCQueuedCall(
      number: row.integer(0), key: key, call: QueuedContent.call(row.blob(2), data: row.blob(3), key: key),
      added: row.real(4), failures: Int(row.integer(5)), lastError: row.optionalText(6))
  }

  /// Takes an answered call out and remembers its key, in one step.
  func finish(_ number: Int64, key: String, at now: Double) throws {
    try database.transaction {
      try database.run("DELETE FROM calls WHERE number = ?", [.integer(number)])
      try database.run("INSERT OR REPLACE INTO answered VALUES (?, ?, ?)", [.text(key), .integer(number), .real(now)])
      try database.run(
        "DELETE FROM answered WHERE number <= ?", [.integer(number - Int64(Self.rememberedKeys))])
    }
  }

  func noteFailure(_ number: Int64, _ error: String) throws {
    try database.run(
      "UPDATE calls SET failures = failures + 1, error = ? WHERE number = ?", [.text(error), .integer(number)])
  }

  func remove(key: String) throws -> Bool {
    try database.run("DELETE FROM calls WHERE key = ?", [.text(key)])
    return database.changes > 0
  }
}
