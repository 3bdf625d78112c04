import MPaaSDatabase
import MPaaSSupport

/// Issues in the database: what a crash changes of its issue.
enum IssueStore {
  /// The issue that stands for a whole app.
  static let whole: Int64 = 0

  /// The id of a group: it follows from the app and the name, so that it is known before it is stored.
  static func id(app: String, name: String) -> Int64 {
    max(RowNumber.of(app, name), 1)
  }

  /// A group as its count has just grown.
  struct Joined: Sendable, Equatable {
    var id: Int64
    var count: Int64
    var state: IssueState
    var rule: String?
    var mergedInto: Int64?
    var users: Int64
    /// The number of groups that were merged into it.
    var merges: Int64
  }

  /// Notes values and the user of an event, without counting it.
  ///
  /// - Returns: What need not be noted again, and by how many the users of the group grew.
  static func learn(
    _ facts: IssueFacts, group: Int64, app: String, at time: Double, _ memory: IssueMemory, in database: any SQLDatabase
  ) throws -> (fresh: IssueMemory.Fresh, users: Int64) {
    try memory.follow(in: database)
    var batch = IssueFactBatch(memory, database)
    var fresh = [try batch.add(facts, to: group, app: app, at: time)]
    try batch.storeFacts(&fresh)
    let users = try batch.storeUsers().count(app: app, issue: group)
    if users > 0 {
      try database.run(
        "UPDATE crash_groups SET users = users + ? WHERE app = ? AND id = ?",
        [.integer(users), .text(app), .integer(group)])
    }
    return (fresh[0], users)
  }

  /// Counts an event in the issue that its group was merged into.
  static func joinParent(
    _ parent: Int64, app: String, at time: Double, in database: any SQLDatabase
  ) throws -> Joined? {
    try database.row(
      """
      UPDATE crash_groups SET count = count + 1, last = CASE WHEN last > ?3 THEN last ELSE ?3 END,
      first = CASE WHEN first < ?3 THEN first ELSE ?3 END WHERE app = ?1 AND id = ?2 RETURNING \(joinedColumns)
      """, [.text(app), .integer(parent), .real(time)], joined)
  }

  static let joinedColumns = "id, count, state, rule, merged_into, users, merges"

  static func joined(_ row: SQLRow) -> Joined {
    Joined(
      id: row.integer(0), count: row.integer(1), state: IssueState(rawValue: row.text(2)) ?? .unresolved,
      rule: row.optionalText(3), mergedInto: row.optionalInteger(4), users: row.integer(5),
      merges: row.integer(6))
  }

  /// Ends the state of an issue where the event asks for it; gives the state in which it is then.
  static func end(
    _ issue: Joined, _ facts: IssueFacts, app: String, hour: Int64, at time: Double, in database: any SQLDatabase
  ) throws -> IssueState {
    let rule = issue.rule.map(IssueRule.init(json:)) ?? IssueRule()
    let next: IssueState
    if issue.state == .resolved {
      let reopens = try rule.reopens(facts.release) { release in
        try database.row(
          "SELECT first FROM issue_values WHERE app = ? AND issue = ? AND key = 'release' AND value = ?",
          [.text(app), .integer(whole), .text(release)]
        ) { $0.real(0) }
      }
      guard reopens else { return issue.state }
      next = .regressed
    } else {
      let inHour = rule.perHour == nil ? 0 : try self.inHour(hour, of: issue.id, app: app, in: database)
      guard rule.endsIgnoring(IssueMoment(count: issue.count, users: issue.users, hour: inHour, time: time)) else {
        return issue.state
      }
      next = .unresolved
    }
    try database.run(
      "UPDATE crash_groups SET state = ?, rule = NULL, wake = NULL WHERE app = ? AND id = ?",
      [.text(next.rawValue), .text(app), .integer(issue.id)])
    try IssueNotes.add(
      IssueNote(kind: next.rawValue, text: facts.release ?? "", author: "", time: time), to: issue.id, app: app,
      in: database)
    return next
  }

  /// The events of an issue, those of merged groups included, in an hour of the clock.
  static func inHour(
    _ hour: Int64, of issue: Int64, app: String, in database: any SQLDatabase
  ) throws -> Int64 {
    try database.row(
      """
      SELECT coalesce(sum(count), 0) FROM issue_hours WHERE app = ?1 AND hour = ?3 AND issue IN
      (SELECT id FROM crash_groups WHERE app = ?1 AND merged_into = ?2 UNION ALL SELECT ?2)
      """, [.text(app), .integer(issue), .integer(hour)]
    ) { $0.integer(0) } ?? 0
  }

  /// Ends the states whose time is over.
  static func wake(at time: Double, in database: any SQLDatabase) throws {
    let over = try database.rows(
      "SELECT app, id FROM crash_groups WHERE wake IS NOT NULL AND wake <= ? LIMIT 1000", [.real(time)]
    ) { (app: $0.text(0), id: $0.integer(1)) }
    for (app, id) in over {
      try database.run(
        """
        UPDATE crash_groups SET state = CASE state WHEN 'ignored' THEN 'unresolved' ELSE state END, rule = NULL,
        wake = NULL WHERE app = ? AND id = ?
        """, [.text(app), .integer(id)])
      try IssueNotes.add(
        IssueNote(kind: "unresolved", text: "", author: "", time: time), to: id, app: app, in: database)
    }
  }
}
