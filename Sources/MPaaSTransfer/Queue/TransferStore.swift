import MPaaSSQLite
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The queue's file: a table of transfers, one of their parts, and what went over mobile networks on which day.
///
/// For one thread at a time; several processes may have it open.
final class TransferStore {
  private let database: SQLiteDatabase

  /// A part of a transfer that goes on its own.
  struct Part: Equatable {
    var number: Int
    var start: Int64
    var size: Int64
    var moved: Int64 = 0
    var location: String?
    var tag: String?
  }

  /// - Throws: `TransferError` with SQLite's word.
  init(_ path: String) throws(TransferError) {
    do {
      database = try SQLiteDatabase(path, durability: .normal)
      try database.migrate(Self.steps)
    } catch let error as SQLiteError {
      throw TransferError(error)
    } catch {
      throw TransferError(SQLiteError(.failed, ["file": path, "reason": "\(error)"]))
    }
  }

  private static let steps = [
    """
    CREATE TABLE transfers (
      id INTEGER PRIMARY KEY AUTOINCREMENT, batch TEXT UNIQUE, tag TEXT, description TEXT NOT NULL,
      state TEXT NOT NULL, priority INTEGER NOT NULL, moved INTEGER NOT NULL DEFAULT 0, size INTEGER,
      mark TEXT, failures INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0, not_before REAL,
      error TEXT, reason TEXT, exit INTEGER, location TEXT, expires REAL, sha256 TEXT, status INTEGER, answer TEXT,
      created REAL NOT NULL, updated REAL NOT NULL);
    CREATE INDEX transfers_by_state ON transfers (state, priority DESC, id);
    CREATE INDEX transfers_by_tag ON transfers (tag);
    CREATE TABLE parts (
      transfer INTEGER NOT NULL REFERENCES transfers ON DELETE CASCADE, number INTEGER NOT NULL,
      start INTEGER NOT NULL, size INTEGER NOT NULL, moved INTEGER NOT NULL DEFAULT 0, location TEXT, tag TEXT,
      PRIMARY KEY (transfer, number)) WITHOUT ROWID;
    CREATE TABLE cellular (day INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);
    """
  ]

  private static let columns = """
    id, description, state, moved, size, failures, attempts, not_before, error, reason, location, expires, sha256,
    status, answer, created, updated, priority, exit
    """

  /// Adds a transfer, or gives the one that has its batch already.
  func add(_ transfer: Transfer, mark: FileMark?, now: Double) throws(TransferError) -> (id: TransferID, isNew: Bool) {
    let text = String(decoding: (try? JSONEncoder().encode(transfer)) ?? Data(), as: UTF8.self)
    return try checked {
      try database.transaction {
        if let batch = transfer.batch,
          let known = try database.row("SELECT id FROM transfers WHERE batch = ?", [.text(batch)], { $0.integer(0) })
        {
          return (TransferID(rawValue: known), false)
        }
        try database.run(
          """
          INSERT INTO transfers (batch, tag, description, state, priority, size, mark, created, updated)
          VALUES (?, ?, ?, 'waiting', ?, ?, ?, ?, ?)
          """,
          [
            .optional(transfer.batch), .optional(transfer.tag), .text(text), .integer(transfer.priority),
            .optional(mark.map { Int64(clamping: $0.size) }), .optional(mark?.text), .real(now), .real(now),
          ])
        return (TransferID(rawValue: database.lastRow), true)
      }
    }
  }

  func record(_ id: TransferID) throws(TransferError) -> TransferRecord? {
    try checked {
      try database.row("SELECT \(Self.columns) FROM transfers WHERE id = ?", [.integer(id.rawValue)], Self.record)
        .flatMap { $0 }
    }
  }

  /// All of the states, the next to go first; those that no longer change come last.
  ///
  /// - Parameter only: These; of many all are given, to be chosen from.
  func records(
    _ states: [TransferState] = TransferState.allCases, only: Set<TransferID>? = nil
  ) throws(TransferError) -> [TransferRecord] {
    let marks = states.map { _ in "?" }.joined(separator: ", ")
    let few = only.flatMap { $0.count <= 256 ? $0.map(\.rawValue) : nil }
    let among = few.map { "AND id IN (\($0.map { String($0) }.joined(separator: ", ")))" } ?? ""
    return try checked {
      try database.rows(
        "SELECT \(Self.columns) FROM transfers WHERE state IN (\(marks)) \(among) ORDER BY priority DESC, id",
        states.map { .text($0.rawValue) }, Self.record
      ).compactMap { $0 }
    }
  }

  func identifier(batch: String) throws(TransferError) -> TransferID? {
    try checked {
      try database.row("SELECT id FROM transfers WHERE batch = ?", [.text(batch)]) {
        TransferID(rawValue: $0.integer(0))
      }
    }
  }

  func identifiers(tag: String) throws(TransferError) -> [TransferID] {
    try checked {
      try database.rows("SELECT id FROM transfers WHERE tag = ? ORDER BY id", [.text(tag)]) {
        TransferID(rawValue: $0.integer(0))
      }
    }
  }

  /// The file's mark when the transfer was added.
  func mark(_ id: TransferID) throws(TransferError) -> String? {
    try checked {
      try database.row("SELECT mark FROM transfers WHERE id = ?", [.integer(id.rawValue)]) { $0.optionalText(0) }
        .flatMap { $0 }
    }
  }

  func setMark(_ id: TransferID, _ mark: FileMark) throws(TransferError) {
    try checked {
      try database.run(
        "UPDATE transfers SET mark = ?, size = ? WHERE id = ?",
        [.text(mark.text), .integer(Int64(clamping: mark.size)), .integer(id.rawValue)])
    }
  }

  /// Writes what changed; `states` are those that the transfer may be in, so that a wish of another process stands.
  @discardableResult
  func update(
    _ record: TransferRecord, from states: [TransferState] = TransferState.allCases
  ) throws(TransferError) -> Bool {
    let marks = states.map { _ in "?" }.joined(separator: ", ")
    return try checked {
      try database.run(
        """
        UPDATE transfers SET state = ?, moved = ?, size = ?, failures = ?, attempts = ?, not_before = ?, error = ?,
          reason = ?, exit = ?, location = ?, expires = ?, sha256 = ?, status = ?, answer = ?, updated = ?
        WHERE id = ? AND state IN (\(marks))
        """,
        [
          .text(record.state.rawValue), .integer(record.moved), .optional(record.size), .integer(record.failures),
          .integer(record.attempts), record.notBefore.map(SQLiteValue.real) ?? .null, .optional(record.error),
          .optional(record.reason), .optional(record.exit.map(Int64.init)), .optional(record.location),
          record.expires.map(SQLiteValue.real) ?? .null, .optional(record.sha256),
          .optional(record.status.map(Int64.init)), .optional(record.answer),
          .real(record.updated), .integer(record.id.rawValue),
        ] + states.map { .text($0.rawValue) })
      return database.changes > 0
    }
  }

  /// Changes the state alone; `resets` forgets failures and pauses.
  func setState(
    _ id: TransferID, _ state: TransferState, from states: [TransferState], resets: Bool, now: Double
  ) throws(TransferError) {
    let marks = states.map { _ in "?" }.joined(separator: ", ")
    let reset = resets ? ", failures = 0, not_before = NULL, error = NULL, reason = NULL" : ""
    try checked {
      try database.run(
        "UPDATE transfers SET state = ?, updated = ?\(reset) WHERE id = ? AND state IN (\(marks))",
        [.text(state.rawValue), .real(now), .integer(id.rawValue)] + states.map { .text($0.rawValue) })
    }
  }

  func setPriority(_ id: TransferID, _ priority: Int) throws(TransferError) {
    try checked {
      try database.run("UPDATE transfers SET priority = ? WHERE id = ?", [.integer(priority), .integer(id.rawValue)])
    }
  }

  func remove(_ id: TransferID) throws(TransferError) {
    try checked { try database.run("DELETE FROM transfers WHERE id = ?", [.integer(id.rawValue)]) }
  }

  /// The transfers that have been final since before a time.
  func final(before time: Double) throws(TransferError) -> [TransferRecord] {
    try checked {
      try database.rows(
        "SELECT \(Self.columns) FROM transfers WHERE state IN ('done', 'failed', 'cancelled') AND updated < ?",
        [.real(time)], Self.record
      ).compactMap { $0 }
    }
  }

  /// Forgets what has been final since before a time.
  func removeFinal(before time: Double) throws(TransferError) {
    try checked {
      try database.run(
        "DELETE FROM transfers WHERE state IN ('done', 'failed', 'cancelled') AND updated < ?", [.real(time)])
    }
  }

  func parts(_ id: TransferID) throws(TransferError) -> [Part] {
    try checked {
      try database.rows(
        "SELECT number, start, size, moved, location, tag FROM parts WHERE transfer = ? ORDER BY number",
        [.integer(id.rawValue)]
      ) { row in
        Part(
          number: Int(row.integer(0)), start: row.integer(1), size: row.integer(2), moved: row.integer(3),
          location: row.optionalText(4), tag: row.optionalText(5))
      }
    }
  }

  func put(_ part: Part, of id: TransferID) throws(TransferError) {
    try checked {
      try database.run(
        "INSERT OR REPLACE INTO parts (transfer, number, start, size, moved, location, tag) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
          .integer(id.rawValue), .integer(part.number), .integer(part.start), .integer(part.size), .integer(part.moved),
          .optional(part.location), .optional(part.tag),
        ])
    }
  }

  func removeParts(_ id: TransferID) throws(TransferError) {
    try checked { try database.run("DELETE FROM parts WHERE transfer = ?", [.integer(id.rawValue)]) }
  }

  /// Bytes that went over mobile networks on a day, counted from 1970.
  func cellularBytes(day: Int64) throws(TransferError) -> Int64 {
    try checked { try database.row("SELECT bytes FROM cellular WHERE day = ?", [.integer(day)]) { $0.integer(0) } ?? 0 }
  }

  func addCellular(_ bytes: Int64, day: Int64) throws(TransferError) {
    try checked {
      try database.run(
        "INSERT INTO cellular (day, bytes) VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET bytes = bytes + excluded.bytes",
        [.integer(day), .integer(bytes)])
      try database.run("DELETE FROM cellular WHERE day < ?", [.integer(day - 30)])
    }
  }

  private static func record(_ row: SQLiteRow) -> TransferRecord? {
    // A transfer that a newer version wrote is passed over rather than lost.
    guard var transfer = try? JSONDecoder().decode(Transfer.self, from: Data(row.text(1).utf8)),
      let state = TransferState(rawValue: row.text(2))
    else { return nil }
    transfer.priority = Int(row.integer(17))
    return TransferRecord(
      id: TransferID(rawValue: row.integer(0)), transfer: transfer, state: state, moved: row.integer(3),
      size: row.optionalInteger(4), failures: Int(row.integer(5)), attempts: Int(row.integer(6)),
      notBefore: row.isNull(7) ? nil : row.real(7), error: row.optionalText(8), reason: row.optionalText(9),
      exit: row.optionalInteger(18).map { Int32(clamping: $0) }, location: row.optionalText(10),
      expires: row.isNull(11) ? nil : row.real(11), sha256: row.optionalText(12),
      status: row.optionalInteger(13).map { Int($0) }, answer: row.optionalText(14), created: row.real(15),
      updated: row.real(16))
  }

  private func checked<Value>(_ body: () throws -> Value) throws(TransferError) -> Value {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw TransferError(error)
    } catch {
      throw TransferError(SQLiteError(.failed, ["file": database.path, "reason": "\(error)"]))
    }
  }
}
