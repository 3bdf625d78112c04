import MPaaSDatabase
import MPaaSDigests
import MPaaSSupport

/// Tokens in the database: their SHA-256, never themselves.
enum TokenRow {
  static func fresh() -> String { "mpt_" + Access.randomBytes(24).hexadecimal }

  static func hash(_ token: String) -> [UInt8] { token.utf8.sha256 }

  static func insert(_ grant: Grant, _ hash: [UInt8], author: String, in database: any SQLDatabase) throws {
    let several = grant.rights.isEmpty ? [] : grant.apps?.sorted() ?? []
    try database.run(
      """
      INSERT INTO tokens (hash, id, name, scopes, app, created, expires, apps, author)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .blob(hash), .text(grant.id), .text(grant.name),
        .text(grant.scopes.map(\.rawValue).sorted().joined(separator: " ")), .optional(grant.app),
        .real(grant.created), .real(grant.expires), .text(several.joined(separator: " ")), .text(author),
      ])
  }

  static func grant(_ hash: [UInt8], in database: any SQLDatabase) throws -> Grant? {
    try database.row("\(columns) WHERE hash = ?", [.blob(hash)], grant)
  }

  static func grant(id: String, in database: any SQLDatabase) throws -> Grant? {
    try database.row("\(columns) WHERE id = ?", [.text(id)], grant)
  }

  /// All tokens, the newest first.
  static func all(in database: any SQLDatabase) throws -> [Grant] {
    try database.rows("\(columns) ORDER BY created DESC, id", [], grant)
  }

  static func remove(_ id: String, in database: any SQLDatabase) throws -> Bool {
    try database.run("DELETE FROM tokens WHERE id = ?", [.text(id)])
    return database.changes > 0
  }

  /// Ends a token at a moment, where it would last longer.
  static func end(_ id: String, at moment: Double, in database: any SQLDatabase) throws {
    try database.run(
      "UPDATE tokens SET expires = ?1 WHERE id = ?2 AND expires > ?1", [.real(moment), .text(id)])
  }

  private static let columns = "SELECT id, name, scopes, app, created, expires, apps FROM tokens"

  private static func grant(_ row: SQLRow) -> Grant {
    var grant = Grant(
      id: row.text(0), name: row.text(1),
      scopes: Set(row.text(2).split(separator: " ").compactMap { Scope(rawValue: String($0)) }),
      app: row.optionalText(3), created: row.real(4), expires: row.real(5))
    let apps = row.text(6).split(separator: " ").map(String.init)
    if apps.count > 1 { grant.rights = [Grant.Right(apps: Set(apps), scopes: grant.scopes)] }
    return grant
  }
}
