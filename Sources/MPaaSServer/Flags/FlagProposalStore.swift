import MPaaSDatabase
import MPaaSFlagTools
import MPaaSProtocol
import MPaaSSupport

/// Proposals and approvals in the database.
enum FlagProposalStore {
  /// A proposal with what the wire does not have.
  struct Stored: Sendable {
    var proposal: FlagProposal
    /// The token of the author.
    let token: String
    /// A JSON array of events.
    let events: String
  }

  /// - Throws: `flags-proposals-too-many` where `limit` are open.
  static func insert(_ stored: Stored, limit: Int, in database: any SQLDatabase) throws {
    let proposal = stored.proposal
    let open = try database.row(
      """
      SELECT count(*) FROM flag_proposals WHERE app = ? AND environment = ? AND state IN ('open', 'scheduled')
      """, [.text(proposal.app), .text(proposal.environment)]
    ) { $0.integer(0) }
    guard open ?? 0 < limit else { throw ServerError(.flagsProposalsTooMany, ["limit": String(limit)]) }
    try database.run(
      "INSERT INTO flag_proposals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        .text(proposal.id), .text(proposal.app), .text(proposal.environment), .text(proposal.state.rawValue),
        .text(stored.token), .text(proposal.author), .text(proposal.comment), .integer(proposal.base),
        .optional(proposal.rollback.map(Int64.init)), .text(stored.events), .text(FlagWire.text(proposal.changes)),
        proposal.at.map { .real($0) } ?? .null, .null, .null, .real(proposal.created), .real(proposal.updated),
      ])
  }

  /// A proposal of an environment; nil where there is none.
  static func proposal(
    _ id: String, _ key: FlagPlace.Key, needed: Int, in database: any SQLDatabase
  ) throws -> Stored? {
    let found = try database.row(
      "SELECT \(columns) FROM flag_proposals WHERE id = ? AND app = ? AND environment = ?",
      [.text(id)] + FlagStore.place(key)
    ) { stored($0, needed: needed) }
    return try found.map { try approved($0, in: database) }
  }

  /// Proposals with the first of their changes, the newest first.
  static func proposals(
    _ key: FlagPlace.Key, state: FlagProposal.State?, limit: Int, needed: Int, in database: any SQLDatabase
  ) throws -> [FlagProposal] {
    // Many proposals, whole, would not fit into the memory.
    try database.rows(
      """
      SELECT \(heads), '' FROM flag_proposals WHERE app = ?1 AND environment = ?2 AND (?3 IS NULL OR state = ?3)
      ORDER BY created DESC, id LIMIT ?4
      """, FlagStore.place(key) + [.optional(state?.rawValue), .integer(limit)]
    ) { stored($0, needed: needed, FlagWire.beginning) }.map { try approved($0, in: database).proposal }
  }

  /// Proposals whose time has come.
  static func due(at now: Double, in database: any SQLDatabase) throws -> [(id: String, key: FlagPlace.Key)] {
    try database.rows(
      "SELECT id, app, environment FROM flag_proposals WHERE state = 'scheduled' AND at <= ? ORDER BY at, created",
      [.real(now)]
    ) { ($0.text(0), FlagPlace.Key(app: $0.text(1), environment: $0.text(2))) }
  }

  /// Keeps the approval of a token; a second one changes nothing.
  static func approve(_ id: String, _ grant: Grant, at now: Double, in database: any SQLDatabase) throws {
    try database.run(
      "INSERT INTO flag_approvals VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
      [.text(id), .text(grant.id), .text(grant.name), .real(now)])
  }

  /// Keeps the state of a proposal, unless it has come to an end meanwhile.
  ///
  /// - Throws: `flags-proposal-closed`.
  static func keep(_ proposal: FlagProposal, in database: any SQLDatabase) throws {
    try database.run(
      """
      UPDATE flag_proposals SET state = ?, at = ?, version = ?, reason = ?, updated = ?
      WHERE id = ? AND state IN ('open', 'scheduled')
      """,
      [
        .text(proposal.state.rawValue), proposal.at.map { .real($0) } ?? .null,
        .optional(proposal.version.map(Int64.init)), .optional(proposal.reason), .real(proposal.updated),
        .text(proposal.id),
      ])
    guard database.changes == 1 else {
      let state = try database.row("SELECT state FROM flag_proposals WHERE id = ?", [.text(proposal.id)]) { $0.text(0) }
      throw ServerError(.flagsProposalClosed, ["proposal": proposal.id, "state": state ?? ""])
    }
  }

  private static func approved(_ stored: Stored, in database: any SQLDatabase) throws -> Stored {
    var stored = stored
    stored.proposal.approvals = try database.rows(
      "SELECT author, time FROM flag_approvals WHERE proposal = ? ORDER BY time, token", [.text(stored.proposal.id)]
    ) { FlagApproval(author: $0.text(0), time: $0.real(1)) }
    return stored
  }

  private static let heads = """
    id, app, environment, state, author, comment, base, rollback, created, at, updated, version, reason, changes,
    token
    """
  private static let columns = "\(heads), events"

  private static func stored(
    _ row: SQLRow, needed: Int, _ changes: (String) -> [FlagDifference] = FlagWire.differences
  ) -> Stored {
    var proposal = FlagProposal(
      id: row.text(0), app: row.text(1), environment: row.text(2),
      state: FlagProposal.State(rawValue: row.text(3)) ?? .failed, author: row.text(4), comment: row.text(5),
      base: Int(row.integer(6)), rollback: row.optionalInteger(7).map(Int.init), created: row.real(8),
      at: row.isNull(9) ? nil : row.real(9), needed: needed)
    proposal.updated = row.real(10)
    proposal.version = row.optionalInteger(11).map(Int.init)
    proposal.reason = row.optionalText(12)
    proposal.changes = changes(row.text(13))
    return Stored(proposal: proposal, token: row.text(14), events: row.text(15))
  }
}
