import MPaaSDatabase
import MPaaSDigests
import MPaaSProtocol
import MPaaSSupport

/// Builds and their links in the database.
enum BuildStore {
  private static let columns = """
    app, id, kind, name, identifier, version, build, minimum_system, filename, size, blob, signature, author, received
    """

  private static func entry(_ row: SQLRow) -> BuildEntry {
    BuildEntry(
      id: row.text(1), app: row.text(0), kind: row.text(2), name: row.text(3), identifier: row.text(4),
      version: row.text(5), build: row.text(6), minimumSystem: row.text(7), filename: row.text(8), size: row.integer(9),
      sha256: row.text(10), signature: StoredJSON.value(row.text(11)), author: row.text(12), added: row.real(13))
  }

  /// The newest builds; of all apps where none is named.
  ///
  /// - Parameter time: Only those that came before it, in seconds since 1970.
  static func builds(
    app: String?, before time: Double?, limit: Int, in database: any SQLDatabase
  ) throws -> [BuildEntry] {
    try database.rows(
      """
      SELECT \(columns) FROM builds WHERE (?1 IS NULL OR app = ?1) AND received < ?2
      ORDER BY received DESC, id LIMIT ?3
      """,
      [.optional(app), .real(time ?? 1e12), .integer(limit)], entry)
  }

  /// The oldest builds of all apps that came up to a time.
  static func builds(upTo time: Double, limit: Int, in database: any SQLDatabase) throws -> [BuildEntry] {
    try database.rows(
      "SELECT \(columns) FROM builds WHERE received <= ? ORDER BY received, id LIMIT ?",
      [.real(time), .integer(limit)], entry)
  }

  static func build(_ id: String, app: String?, in database: any SQLDatabase) throws -> BuildEntry? {
    try database.row(
      "SELECT \(columns) FROM builds WHERE (?1 IS NULL OR app = ?1) AND id = ?2", [.optional(app), .text(id)], entry)
  }

  /// The build of an app that a file is; nil where it is not kept.
  static func build(blob: String, app: String, in database: any SQLDatabase) throws -> BuildEntry? {
    try database.row(
      "SELECT \(columns) FROM builds WHERE app = ? AND blob = ?", [.text(app), .text(blob)], entry)
  }

  static func insert(_ build: BuildEntry, in database: any SQLDatabase) throws {
    try database.run(
      "INSERT INTO builds (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        .text(build.app), .text(build.id), .text(build.kind), .text(build.name), .text(build.identifier),
        .text(build.version), .text(build.build), .text(build.minimumSystem), .text(build.filename),
        .integer(build.size), .text(build.sha256), .text(build.signature.map { StoredJSON.text($0) } ?? ""),
        .text(build.author), .real(build.added),
      ])
  }

  /// Removes a build with its links, and notes its blob where nothing else names it.
  static func remove(_ build: BuildEntry, in database: any SQLDatabase) throws {
    try database.run("DELETE FROM build_links WHERE app = ? AND build = ?", [.text(build.app), .text(build.id)])
    try database.run("DELETE FROM builds WHERE app = ? AND id = ?", [.text(build.app), .text(build.id)])
    try BlobRemovals.note([build.sha256], in: database)
  }

  // MARK: - Links

  /// The most links that a build has at once.
  static let mostLinks = 100

  /// The links of a build, the newest first.
  static func links(of build: BuildEntry, in database: any SQLDatabase) throws -> [BuildLink] {
    try database.rows(
      """
      SELECT id, author, created, expires FROM build_links WHERE app = ? AND build = ? ORDER BY created DESC, id
      """,
      [.text(build.app), .text(build.id)]
    ) { BuildLink(id: $0.text(0), author: $0.text(1), created: $0.real(2), expires: $0.real(3)) }
  }

  static func insert(_ link: BuildLink, _ hash: [UInt8], of build: BuildEntry, in database: any SQLDatabase) throws {
    try database.run(
      "INSERT INTO build_links (app, build, id, hash, author, created, expires) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        .text(build.app), .text(build.id), .text(link.id), .blob(hash), .text(link.author), .real(link.created),
        .real(link.expires),
      ])
  }

  /// Ends a link; says whether there was one.
  static func removeLink(_ id: String, of build: BuildEntry, in database: any SQLDatabase) throws -> Bool {
    try database.run(
      "DELETE FROM build_links WHERE app = ? AND build = ? AND id = ?", [.text(build.app), .text(build.id), .text(id)])
    return database.changes > 0
  }

  /// Tells whether links ended before a moment.
  static func hasLinks(before time: Double, in database: any SQLDatabase) throws -> Bool {
    try database.row("SELECT 1 FROM build_links WHERE expires < ? LIMIT 1", [.real(time)]) { _ in true } ?? false
  }

  /// Forgets links that ended before a moment.
  static func forgetLinks(before time: Double, in database: any SQLDatabase) throws {
    try database.run("DELETE FROM build_links WHERE expires < ?", [.real(time)])
  }

  /// The build that a link's secret leads to now, and the end of the link; nil where it leads nowhere.
  ///
  /// The database is asked for the digest, which tells nothing of secrets that are near it.
  static func build(
    linked hash: [UInt8], at time: Double, in database: any SQLDatabase
  ) throws -> (build: BuildEntry, expires: Double)? {
    let link = try database.row(
      "SELECT app, build, hash, expires FROM build_links WHERE hash = ? AND expires > ?", [.blob(hash), .real(time)]
    ) { (app: $0.text(0), build: $0.text(1), hash: $0.blob(2), expires: $0.real(3)) }
    guard let link, link.hash.isEqualInConstantTime(to: hash),
      let build = try build(link.build, app: link.app, in: database)
    else { return nil }
    return (build, link.expires)
  }
}
