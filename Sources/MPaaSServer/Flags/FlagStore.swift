import MPaaSDatabase
import MPaaSFlagTools
import MPaaSProtocol
import MPaaSSupport

/// Environments, versions and items of flags in the database.
enum FlagStore {
  /// An environment as it is stored.
  struct Environment: Sendable {
    let key: FlagPlace.Key
    let channel: String
    let created: Double
  }

  static func environments(in database: any SQLDatabase) throws -> [Environment] {
    try database.rows("SELECT app, name, channel, created FROM flag_environments ORDER BY app, name") {
      Environment(
        key: FlagPlace.Key(app: $0.text(0), environment: $0.text(1)), channel: $0.text(2), created: $0.real(3))
    }
  }

  /// Keeps an environment, where it is not there yet.
  static func put(_ environment: Environment, in database: any SQLDatabase) throws {
    try database.run(
      "INSERT INTO flag_environments VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
      [
        .text(environment.key.app), .text(environment.key.environment), .text(environment.channel),
        .real(environment.created),
      ])
  }

  /// Keeps an environment of an app that has fewer than `limit`, or this one already.
  ///
  /// - Throws: `flags-environments-too-many`.
  static func put(_ environment: Environment, limit: Int, in database: any SQLDatabase) throws {
    let (app, name) = (environment.key.app, environment.key.environment)
    let others = try database.row(
      "SELECT count(*) FROM flag_environments WHERE app = ? AND name <> ?", [.text(app), .text(name)]
    ) { $0.integer(0) }
    guard others ?? 0 < limit else { throw ServerError(.flagsEnvironmentsTooMany, ["limit": String(limit)]) }
    try put(environment, in: database)
  }

  /// Keeps a version and the items that it changed.
  static func insert(
    _ version: FlagVersion, _ edits: [FlagEdit], _ key: FlagPlace.Key, in database: any SQLDatabase
  ) throws {
    try database.run(
      "INSERT INTO flag_versions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      place(key) + [
        .integer(version.version), .text(version.author), .real(version.time), .text(version.comment),
        .optional(version.rollback.map(Int64.init)), .optional(version.proposal),
      ])
    for edit in edits {
      try database.run(
        "INSERT INTO flag_items VALUES (?, ?, ?, ?, ?, ?)",
        place(key) + [
          .text(edit.item.kind), .text(edit.item.name), .integer(version.version), .optional(edit.after),
        ])
    }
  }

  static func place(_ key: FlagPlace.Key) -> [SQLValue] { [.text(key.app), .text(key.environment)] }

  /// The number of the newest version and its time; nil where there is none.
  static func newest(_ key: FlagPlace.Key, in database: any SQLDatabase) throws -> (version: Int, time: Double)? {
    try database.row(
      """
      SELECT version, time FROM flag_versions WHERE app = ? AND environment = ? ORDER BY version DESC LIMIT 1
      """, place(key)
    ) { (Int($0.integer(0)), $0.real(1)) }
  }

  /// The items at a version.
  static func sources(_ key: FlagPlace.Key, at version: Int, in database: any SQLDatabase) throws -> FlagSources {
    let items = try database.rows(
      """
      SELECT kind, name, json FROM flag_items AS item WHERE app = ?1 AND environment = ?2 AND json IS NOT NULL
      AND version = (SELECT max(version) FROM flag_items WHERE app = ?1 AND environment = ?2 AND kind = item.kind
      AND name = item.name AND version <= ?3)
      """, place(key) + [.integer(version)]
    ) { row in FlagItem(kind: row.text(0), name: row.text(1)).map { ($0, row.text(2)) } }
    return FlagSources(items.compactMap { $0 })
  }

  /// The edits that a version made.
  static func edits(_ key: FlagPlace.Key, of version: Int, in database: any SQLDatabase) throws -> [FlagEdit] {
    try database.rows(
      """
      SELECT kind, name, json, (SELECT json FROM flag_items WHERE app = ?1 AND environment = ?2 AND kind = item.kind
      AND name = item.name AND version < ?3 ORDER BY version DESC LIMIT 1)
      FROM flag_items AS item WHERE app = ?1 AND environment = ?2 AND version = ?3 ORDER BY kind, name
      """, place(key) + [.integer(version)]
    ) { row in
      FlagItem(kind: row.text(0), name: row.text(1)).map {
        FlagEdit(item: $0, before: row.optionalText(3), after: row.optionalText(2))
      }
    }.compactMap { $0 }
  }

  /// The differences that a version made, without their members, which take the reading of both states.
  static func differences(
    _ key: FlagPlace.Key, of version: Int, in database: any SQLDatabase
  ) throws -> [FlagDifference] {
    try database.rows(
      """
      SELECT kind, name, json IS NULL, (SELECT json IS NOT NULL FROM flag_items WHERE app = ?1 AND environment = ?2
      AND kind = item.kind AND name = item.name AND version < ?3 ORDER BY version DESC LIMIT 1)
      FROM flag_items AS item WHERE app = ?1 AND environment = ?2 AND version = ?3 ORDER BY kind, name
      """, place(key) + [.integer(version)]
    ) { row in
      let kind: FlagDifference.Kind = row.integer(2) == 1 ? .removed : row.optionalInteger(3) == 1 ? .changed : .added
      return FlagDifference(kind: kind, subject: row.text(0), name: row.text(1))
    }
  }

  /// The items that versions after one changed.
  static func items(_ key: FlagPlace.Key, after version: Int, in database: any SQLDatabase) throws -> Set<FlagItem> {
    let items = try database.rows(
      "SELECT DISTINCT kind, name FROM flag_items WHERE app = ? AND environment = ? AND version > ?",
      place(key) + [.integer(version)]
    ) { FlagItem(kind: $0.text(0), name: $0.text(1)) }
    return Set(items.compactMap { $0 })
  }

  /// Versions without their changes, the newest first.
  ///
  /// - Parameters:
  ///   - before: Only versions before this one.
  ///   - flag: Only versions that changed this flag.
  static func versions(
    _ key: FlagPlace.Key, before: Int?, flag: String?, limit: Int, in database: any SQLDatabase
  ) throws -> [FlagVersion] {
    try database.rows(
      """
      SELECT version, author, time, comment, rollback, proposal FROM flag_versions AS made
      WHERE app = ?1 AND environment = ?2 AND (?3 IS NULL OR version < ?3)
      AND (?4 IS NULL OR EXISTS (SELECT 1 FROM flag_items WHERE app = ?1 AND environment = ?2 AND kind = 'flag'
      AND name = ?4 AND version = made.version)) ORDER BY version DESC LIMIT ?5
      """,
      place(key) + [.optional(before.map(Int64.init)), .optional(flag), .integer(limit)], version)
  }

  /// A version without its changes.
  static func version(_ key: FlagPlace.Key, _ number: Int, in database: any SQLDatabase) throws -> FlagVersion? {
    try database.row(
      """
      SELECT version, author, time, comment, rollback, proposal FROM flag_versions
      WHERE app = ? AND environment = ? AND version = ?
      """, place(key) + [.integer(number)], version)
  }

  private static func version(_ row: SQLRow) -> FlagVersion {
    FlagVersion(
      version: Int(row.integer(0)), author: row.text(1), time: row.real(2), comment: row.text(3),
      rollback: row.optionalInteger(4).map(Int.init), proposal: row.optionalText(5))
  }
}
