import MPaaSDatabase
import MPaaSProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The rollouts as the database knows them, and the changes of them that operators ask for.
enum RolloutStore {
  /// The most versions of patches of an answer or a page.
  static let mostPatches = 200
  static let mostRequests = 200
  /// The most requests of an app that wait at once.
  static let mostWaiting: Int64 = 100

  // MARK: - Patches

  /// The versions of patches with their devices and rollouts, those seen last first.
  static func patches(
    app: String?, identity: String? = nil, at now: Double, in database: any SQLDatabase
  ) throws -> [PatchEntry] {
    var notes: [String: [RolloutNote.Rollout]] = [:]
    return try PatchCounts.all(app: app, identity: identity, most: mostPatches, at: now, in: database).map { count in
      let key = "\(count.app)\u{0}\(count.identity)"
      let rollouts = try notes[key] ?? note(app: count.app, identity: count.identity, in: database)?.rollouts ?? []
      notes[key] = rollouts
      let plain = PatchEntry.Devices(devices: count.plainDevices, crashed: count.plainCrashed)
      return PatchEntry(
        app: count.app, identity: count.identity, patch: count.patch, version: count.version,
        firstSeen: Double(count.first), lastSeen: Double(count.last), devices: count.devices, crashed: count.crashed,
        baseline: count.plainDevices > 0 ? plain : nil, population: count.population,
        rollouts: rollouts.filter { $0.patch == count.patch && $0.version == count.version })
    }
  }

  /// The key of the app whose devices told of an identifier; nil where none did.
  static func app(ofIdentity identity: String, in database: any SQLDatabase) throws -> String? {
    try database.row(
      "SELECT app FROM patch_versions WHERE identity = ? ORDER BY last DESC, app LIMIT 1", [.text(identity)]
    ) { $0.text(0) }
  }

  // MARK: - Notes

  static func keep(
    _ note: RolloutNote, app: String, identity: String, at now: Double, in database: any SQLDatabase
  ) throws {
    let text = String(decoding: try JSONEncoder().encode(note), as: UTF8.self)
    try database.run(
      """
      INSERT INTO rollout_notes (app, identity, note, received) VALUES (?, ?, ?, ?)
      ON CONFLICT (app, identity) DO UPDATE SET note = excluded.note, received = excluded.received
      """, [.text(app), .text(identity), .text(text), .real(now)])
  }

  static func note(app: String, identity: String, in database: any SQLDatabase) throws -> RolloutNote? {
    let text = try database.row(
      "SELECT note FROM rollout_notes WHERE app = ? AND identity = ?", [.text(app), .text(identity)]
    ) { $0.text(0) }
    return text.flatMap { try? JSONDecoder().decode(RolloutNote.self, from: Data($0.utf8)) }
  }

  /// The number of identifiers whose rollouts are known of an app.
  static func notes(app: String, in database: any SQLDatabase) throws -> Int64 {
    try database.row("SELECT count(*) FROM rollout_notes WHERE app = ?", [.text(app)]) { $0.integer(0) } ?? 0
  }

  // MARK: - Requests

  private static let columns = """
    app, id, identity, patch, version, channel, action, basis_points, reason, author, created, state, outcome, ended
    """

  static func add(_ request: RolloutRequest, in database: any SQLDatabase) throws {
    try database.run(
      "INSERT INTO rollout_requests (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        .text(request.app), .text(request.id), .text(request.identity), .text(request.patch), .text(request.version),
        .text(request.channel), .text(request.action.rawValue), .optional(request.basisPoints.map(Int64.init)),
        .text(request.reason), .text(request.author), .real(request.created), .text(request.state.rawValue),
        .text(request.outcome), .null,
      ])
  }

  /// Requests, the newest first, and those that wait before others.
  static func requests(
    app: String?, state: RolloutRequest.State? = nil, in database: any SQLDatabase
  ) throws -> [RolloutRequest] {
    try database.rows(
      """
      SELECT \(columns) FROM rollout_requests WHERE (?1 IS NULL OR app = ?1) AND (?2 IS NULL OR state = ?2)
      ORDER BY CASE WHEN state = 'waiting' THEN 0 ELSE 1 END, created DESC, id LIMIT ?3
      """, [.optional(app), .optional(state?.rawValue), .integer(mostRequests)], request
    ).compactMap { $0 }
  }

  static func request(_ id: String, app: String?, in database: any SQLDatabase) throws -> RolloutRequest? {
    try database.row(
      "SELECT \(columns) FROM rollout_requests WHERE id = ?1 AND (?2 IS NULL OR app = ?2)",
      [.text(id), .optional(app)],
      request) ?? nil
  }

  static func waiting(app: String, in database: any SQLDatabase) throws -> Int64 {
    try database.row(
      "SELECT count(*) FROM rollout_requests WHERE state = 'waiting' AND app = ?", [.text(app)]
    ) { $0.integer(0) } ?? 0
  }

  /// Ends a request that waits; says whether it did.
  static func end(
    _ request: RolloutRequest, _ outcome: RolloutOutcome, at now: Double, in database: any SQLDatabase
  ) throws -> Bool {
    try database.run(
      "UPDATE rollout_requests SET state = ?, outcome = ?, ended = ? WHERE app = ? AND id = ? AND state = 'waiting'",
      [
        .text(outcome.state.rawValue), .text(outcome.outcome), .real(now), .text(request.app), .text(request.id),
      ])
    return database.changes > 0
  }

  /// Removes requests that ended longer ago than changes are shown.
  static func free(before time: Double, in database: any SQLDatabase) throws {
    try database.run("DELETE FROM rollout_requests WHERE state <> 'waiting' AND ended < ?", [.real(time)])
  }

  private static func request(_ row: SQLRow) -> RolloutRequest? {
    guard let action = RolloutRequest.Action(rawValue: row.text(6)),
      let state = RolloutRequest.State(rawValue: row.text(11))
    else { return nil }
    return RolloutRequest(
      id: row.text(1), app: row.text(0), identity: row.text(2), patch: row.text(3), version: row.text(4),
      channel: row.text(5), action: action, basisPoints: row.optionalInteger(7).map { Int(clamping: $0) },
      reason: row.text(8), author: row.text(9), created: row.real(10), state: state, outcome: row.text(12),
      ended: row.isNull(13) ? nil : row.real(13))
  }
}
