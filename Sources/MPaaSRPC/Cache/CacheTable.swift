import MPaaSDigests
import MPaaSSQLite
import MPaaSSupport

/// The table of kept answers.
final class CacheTable {
  private let database: SQLiteDatabase

  private static let steps = [
    """
    CREATE TABLE answers (
      key BLOB NOT NULL, variant BLOB NOT NULL, user TEXT NOT NULL, url TEXT NOT NULL, vary TEXT NOT NULL,
      status INTEGER NOT NULL, headers TEXT NOT NULL, body BLOB NOT NULL, size INTEGER NOT NULL,
      request_time REAL NOT NULL, response_time REAL NOT NULL, used REAL NOT NULL,
      PRIMARY KEY (key, variant)) WITHOUT ROWID;
    CREATE INDEX answers_used ON answers (used);
    CREATE INDEX answers_url ON answers (user, url);
    """
  ]

  private init(_ database: SQLiteDatabase) { self.database = database }

  /// Opens the file; one that is damaged is removed first, since nothing in it is worth keeping.
  static func open(_ path: String) throws -> CacheTable {
    do {
      return try opened(path)
    } catch let error as SQLiteError where error.code == .damaged || error.code == .newer {
      for ending in ["", "-wal", "-shm"] { try? FileSystem.remove(path + ending) }
      return try opened(path)
    }
  }

  private static func opened(_ path: String) throws -> CacheTable {
    try StorePlace.prepare(path)
    let database = try SQLiteDatabase(path, durability: .normal, patience: .seconds(2))
    try database.migrate(steps)
    return CacheTable(database)
  }

  /// The answer to a request with these fields.
  func find(_ key: CacheKey, _ headers: [String: String]) throws -> KeptAnswer? {
    let digest = Self.digest(key)
    var found: KeptAnswer?
    try database.forEach(
      "SELECT vary, variant, status, headers, body, request_time, response_time FROM answers WHERE key = ?",
      [.blob(digest)]
    ) { row in
      let names = row.text(0).split(separator: ",").map(String.init)
      guard row.blob(1) == Self.variant(names, headers) else { return true }
      found = KeptAnswer(
        status: Int(row.integer(2)), headers: HeaderLines.headers(row.text(3)), body: row.blob(4),
        requestTime: row.real(5), responseTime: row.real(6))
      return false
    }
    return found
  }

  func put(
    _ answer: KeptAnswer, _ key: CacheKey, _ headers: [String: String], at now: Double, _ limits: RPCCache.Limits
  ) throws {
    let names = answer.varying
    try database.transaction {
      try database.run(
        """
        INSERT OR REPLACE INTO answers
          (key, variant, user, url, vary, status, headers, body, size, request_time, response_time, used)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          .blob(Self.digest(key)), .blob(Self.variant(names, headers)), .text(key.user), .text(key.url),
          .text(names.joined(separator: ",")), .integer(Int64(answer.status)),
          .text(HeaderLines.text(answer.headers)), .blob(answer.body), .integer(Int64(answer.body.count)),
          .real(answer.requestTime), .real(answer.responseTime), .real(now),
        ])
      try trim(limits)
    }
  }

  func remove(_ key: CacheKey) throws {
    try database.run("DELETE FROM answers WHERE key = ?", [.blob(Self.digest(key))])
  }

  func remove(user: String) throws {
    try database.run("DELETE FROM answers WHERE user = ?", [.text(user)])
  }

  func invalidate(url: String, user: String) throws {
    try database.run("DELETE FROM answers WHERE user = ? AND url = ?", [.text(user), .text(url)])
  }

  func removeAll() throws { try database.execute("DELETE FROM answers") }

  func size() throws -> (answers: Int, bytes: Int) {
    try database.row("SELECT count(*), coalesce(sum(size), 0) FROM answers") {
      (Int($0.integer(0)), Int($0.integer(1)))
    } ?? (0, 0)
  }

  /// Removes what was written longest ago, until the bounds hold.
  private func trim(_ limits: RPCCache.Limits) throws {
    var (count, bytes) = try size()
    while count > max(limits.count, 0) || bytes > max(limits.bytes, 0) {
      // A tenth at a time, so that a full cache is not trimmed with each answer.
      try database.run(
        "DELETE FROM answers WHERE (key, variant) IN (SELECT key, variant FROM answers ORDER BY used LIMIT ?)",
        [.integer(Int64(max(count / 10, 1)))])
      (count, bytes) = try size()
    }
  }

  private static func digest(_ key: CacheKey) -> [UInt8] {
    var digest = RunningDigest(.sha256)
    for part in [Array(key.user.utf8), Array(key.url.utf8), Array(key.operation.utf8), key.data] {
      // Lengths stand before the parts, so that none runs into the next.
      withUnsafeBytes(of: UInt64(part.count).littleEndian) { digest.update($0) }
      part.withUnsafeBytes { digest.update($0) }
    }
    return digest.value
  }

  /// The digest of the fields that an answer depends on.
  private static func variant(_ names: [String], _ headers: [String: String]) -> [UInt8] {
    guard !names.isEmpty else { return [] }
    let lowered = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { $1 }
    let lines = names.map { "\($0):\(lowered[$0] ?? "\u{0}")" }
    return Array(lines.joined(separator: "\n").utf8).sha256
  }
}

/// Header fields as lines of text.
enum HeaderLines {
  static func text(_ headers: [String: String]) -> String {
    headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
  }

  static func headers(_ text: String) -> [String: String] {
    var headers: [String: String] = [:]
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[String(line[..<colon])] = String(line[line.index(after: colon)...].dropFirst())
    }
    return headers
  }
}

/// The folder of a database.
enum StorePlace {
  static func prepare(_ path: String) throws(FileError) {
    guard path != ":memory:", let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    try PrivateFolder.create(String(path[..<slash]))
  }
}
