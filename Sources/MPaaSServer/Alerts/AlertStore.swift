import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Rules of alerts in the database.
enum AlertStore {
  static let most = 200
  private static let columns = "app, id, name, condition, receivers, enabled, author, created"

  private static func rule(_ row: SQLRow) -> AlertRule? {
    guard let when: AlertWhen = StoredJSON.value(row.text(3)), let to: [AlertTarget] = StoredJSON.value(row.text(4))
    else { return nil }
    return AlertRule(
      id: row.text(1), app: row.text(0), name: row.text(2), when: when, to: to, isEnabled: row.integer(5) == 1,
      author: row.text(6), created: row.real(7))
  }

  /// Rules by their names; of all apps where none is named.
  static func rules(app: String?, in database: any SQLDatabase) throws -> [AlertRule] {
    try database.rows(
      "SELECT \(columns) FROM alert_rules WHERE (?1 IS NULL OR app = ?1) ORDER BY app, name, id", [.optional(app)], rule
    ).compactMap(\.self)
  }

  static func rule(_ id: String, app: String?, in database: any SQLDatabase) throws -> AlertRule? {
    try database.row(
      "SELECT \(columns) FROM alert_rules WHERE (?1 IS NULL OR app = ?1) AND id = ?2", [.optional(app), .text(id)], rule
    ) ?? nil
  }

  /// Keeps a rule; from its first one on the events of apps are counted.
  static func keep(_ rule: AlertRule, in database: any SQLDatabase) throws {
    try database.run(
      """
      INSERT INTO alert_rules (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      ON CONFLICT (app, id) DO UPDATE SET name = excluded.name, condition = excluded.condition,
      receivers = excluded.receivers, enabled = excluded.enabled
      """,
      [
        .text(rule.app), .text(rule.id), .text(rule.name), .text(StoredJSON.text(rule.when)),
        .text(StoredJSON.text(rule.to)), .flag(rule.isEnabled), .text(rule.author), .real(rule.created),
      ])
    try database.run(
      "INSERT INTO alert_cursor (id, crash) SELECT 1, coalesce(max(id), 0) FROM crashes WHERE 1 = 1 ON CONFLICT DO NOTHING"
    )
  }

  static func remove(_ rule: AlertRule, in database: any SQLDatabase) throws {
    let key: [SQLValue] = [.text(rule.app), .text(rule.id)]
    try database.run("DELETE FROM alert_rules WHERE app = ? AND id = ?", key)
    try database.run("DELETE FROM alert_states WHERE app = ? AND rule = ?", key)
    try database.run("DELETE FROM alert_deliveries WHERE app = ? AND rule = ?", key)
  }

  static func count(app: String, in database: any SQLDatabase) throws -> Int64 {
    try database.row("SELECT count(*) FROM alert_rules WHERE app = ?", [.text(app)]) { $0.integer(0) } ?? 0
  }

  /// The number of things that a rule is true of.
  static func firing(_ rule: AlertRule, in database: any SQLDatabase) throws -> Int64 {
    try database.row(
      "SELECT count(*) FROM alert_states WHERE app = ? AND rule = ?", [.text(rule.app), .text(rule.id)]
    ) { $0.integer(0) } ?? 0
  }

  static func appName(_ key: String, in database: any SQLDatabase) throws -> String {
    try database.row("SELECT name FROM apps WHERE key = ?", [.text(key)]) { $0.text(0) } ?? key
  }
}
