import MPaaSDatabase
import MPaaSProtocol
import MPaaSPush
import MPaaSSupport

/// Campaigns in the database.
enum CampaignStore {
  /// The most campaigns of an app that have not ended.
  static let mostOpen = 200

  /// Keeps a campaign; the same a second time changes nothing.
  ///
  /// - Returns: The campaign, and whether it is new.
  /// - Throws: `server-push-campaign-taken` where another one has the name, `server-push-campaigns-many`.
  static func create(
    _ campaign: PushCampaign, app: String, author: String, at now: Double, in database: any SQLDatabase
  ) throws -> (entry: PushCampaignEntry, isNew: Bool) {
    if let known = try find(campaign.id, app: app, in: database) {
      guard known.definition == campaign.source else {
        throw ServerError(.pushCampaignTaken, ["id": campaign.id])
      }
      return (known.entry, false)
    }
    let open = try database.row(
      "SELECT count(*) FROM push_campaigns WHERE app = ? AND state NOT IN ('done', 'cancelled')", [.text(app)]
    ) { $0.integer(0) }
    guard open ?? 0 < mostOpen else { throw ServerError(.pushCampaignsMany, ["limit": "\(mostOpen)"]) }
    let starts = max(campaign.start ?? now, now)
    try database.run(
      """
      INSERT INTO push_campaigns (number, app, id, topic, environment, definition, state, author, created, starts,
        resumes, scanned, prepared, setbacks, audience, waiting, claimed, accepted, failed, unknown)
      VALUES ((SELECT coalesce(max(number), 0) + 1 FROM push_campaigns), ?, ?, ?, ?, ?, 'scheduled', ?, ?, ?, ?, 0, 0, 0, 0,
        0, 0, 0, 0, 0)
      """,
      [
        .text(app), .text(campaign.id), .text(campaign.topic), .text(campaign.environment.rawValue),
        .text(campaign.source), .text(author), .real(now), .real(starts), .real(starts),
      ])
    guard let made = try find(campaign.id, app: app, in: database) else { throw ServerError(.fault) }
    return (made.entry, true)
  }

  /// The conditions that a list is narrowed by.
  struct Filter: Sendable {
    var app: String?
    var state: PushCampaignState?
    var before: Int64?
    var limit = 100
  }

  /// Campaigns, the newest first.
  static func page(_ filter: Filter, in database: any SQLDatabase) throws -> PushCampaignPage {
    let found = try database.rows(
      """
      SELECT \(columns) FROM push_campaigns WHERE (?1 IS NULL OR app = ?1) AND (?2 IS NULL OR state = ?2)
      AND (?3 IS NULL OR number < ?3) ORDER BY number DESC LIMIT ?4
      """,
      [
        .optional(filter.app), .optional(filter.state?.rawValue), .optional(filter.before),
        .integer(filter.limit + 1),
      ], entry)
    let told = Array(found.prefix(filter.limit))
    return PushCampaignPage(
      campaigns: told, cursor: found.count > told.count ? told.last.map { String($0.number) } : nil)
  }

  /// A campaign as it is stored.
  struct Stored: Sendable {
    var entry: PushCampaignEntry
    let definition: String
    let scanned: Int64
    let isPrepared: Bool
    /// Times in a row that the provider could not take anything.
    let setbacks: Int
  }

  /// A campaign by its name; of several apps' the newest.
  static func find(_ id: String, app: String?, in database: any SQLDatabase) throws -> Stored? {
    try database.row(
      """
      SELECT \(columns), definition, scanned, prepared, setbacks FROM push_campaigns
      WHERE id = ?1 AND (?2 IS NULL OR app = ?2) ORDER BY number DESC LIMIT 1
      """, [.text(id), .optional(app)], stored)
  }

  static func find(_ number: Int64, in database: any SQLDatabase) throws -> Stored? {
    try database.row(
      "SELECT \(columns), definition, scanned, prepared, setbacks FROM push_campaigns WHERE number = ?",
      [.integer(number)], stored)
  }

  /// The numbers of campaigns that something is to be done for now.
  static func due(at now: Double, in database: any SQLDatabase) throws -> [Int64] {
    try database.rows(
      """
      SELECT number FROM push_campaigns WHERE state IN ('scheduled', 'preparing', 'running') AND resumes <= ?
      ORDER BY number
      """, [.real(now)]
    ) { $0.integer(0) }
  }

  /// A wish of an operator.
  enum Wish: String, CaseIterable, Sendable { case pause, resume, cancel }

  /// Pauses, resumes or cancels a campaign; a wish that is fulfilled already changes nothing.
  ///
  /// - Throws: `server-push-campaign-state` for one that has ended.
  static func change(
    _ id: String, app: String?, _ wish: Wish, at now: Double, in database: any SQLDatabase
  ) throws -> PushCampaignEntry? {
    guard let known = try find(id, app: app, in: database) else { return nil }
    let (entry, number) = (known.entry, known.entry.number)
    if wish == .cancel, entry.state == .cancelled { return entry }
    guard !entry.state.isFinal else {
      throw ServerError(.pushCampaignState, ["id": id, "state": entry.state.rawValue])
    }
    switch wish {
    case .pause: try set(number, .paused, problem: nil, in: database)
    case .resume where entry.state == .paused:
      try set(number, known.isPrepared ? .running : .scheduled, problem: nil, in: database)
      try database.run(
        """
        UPDATE push_campaigns SET resumes = CASE WHEN starts > ?1 THEN starts ELSE ?1 END, setbacks = 0
        WHERE number = ?2
        """,
        [.real(now), .integer(number)])
    case .resume: break
    case .cancel:
      try set(number, .cancelled, problem: nil, in: database)
      try database.run("UPDATE push_campaigns SET ended = ? WHERE number = ?", [.real(now), .integer(number)])
    }
    return try find(number, in: database)?.entry
  }

  static func set(
    _ number: Int64, _ state: PushCampaignState, problem: String?, in database: any SQLDatabase
  ) throws {
    try database.run(
      "UPDATE push_campaigns SET state = ?, problem = ? WHERE number = ?",
      [.text(state.rawValue), .optional(problem), .integer(number)])
  }

  private static let columns = """
    number, id, app, topic, environment, state, problem, author, created, starts, ended, resumes, audience, waiting,
      claimed, accepted, failed, unknown
    """

  private static func stored(_ row: SQLRow) -> Stored {
    Stored(
      entry: entry(row), definition: row.text(18), scanned: row.integer(19), isPrepared: row.integer(20) != 0,
      setbacks: Int(clamping: row.integer(21)))
  }

  private static func entry(_ row: SQLRow) -> PushCampaignEntry {
    let state = PushCampaignState(rawValue: row.text(5)) ?? .paused
    return PushCampaignEntry(
      number: row.integer(0), id: row.text(1), app: row.text(2), topic: row.text(3),
      environment: PushEnvironment(rawValue: row.text(4)) ?? .production, state: state, problem: row.optionalText(6),
      author: row.text(7), created: row.real(8), starts: row.real(9),
      ended: state.isFinal ? row.real(10) : nil, resumes: state.isFinal || state == .paused ? nil : row.real(11),
      counts: PushCampaignCounts(
        audience: row.integer(12), waiting: row.integer(13), claimed: row.integer(14), accepted: row.integer(15),
        failed: row.integer(16), unknown: row.integer(17)))
  }
}
