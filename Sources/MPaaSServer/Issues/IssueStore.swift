import MPaaSDatabase
import MPaaSDigests
import MPaaSSupport

/// Issues in the database: what a crash changes of its issue.
enum IssueStore {
  /// Values of one key that an issue keeps.
  static let mostValues = 500
  /// Texts that an issue is found by.
  private static let mostTexts = 10
  /// The issue that stands for a whole app.
  static let whole: Int64 = 0

  /// The id of a group: it follows from the app and the name, so that it is known before it is stored.
  static func id(app: String, name: String) -> Int64 {
    let digest = (app + "\0" + name).utf8.sha256
    let bits = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return max(Int64(bits >> 1), 1)
  }

  /// A group as its count has just grown.
  struct Joined: Sendable, Equatable {
    var id: Int64
    var count: Int64
    var state: IssueState
    var rule: String?
    var mergedInto: Int64?
    var users: Int64
  }

  /// Notes what an event tells of its issue: hour, user, values, and whether its state ends.
  ///
  /// - Returns: What need not be noted again once this is on the disk.
  static func note(
    _ facts: IssueFacts, _ group: Joined, app: String, at time: Double, mayEnd: Bool = true, _ memory: IssueMemory,
    in database: any SQLDatabase
  ) throws -> IssueMemory.Fresh {
    let hour = Int64(clamping: Int(time / 3600))
    try addHour(hour, 1, group.id, app: app, in: database)
    let (fresh, newUsers) = try learn(facts, group: group.id, app: app, at: time, memory, in: database)
    var issue = group
    issue.users += newUsers
    if let parent = group.mergedInto {
      guard
        let joined = try joinParent(parent, app: app, newUsers > 0 ? facts.user : nil, at: time, memory, in: database)
      else { return fresh }
      issue = joined
    }
    if mayEnd, issue.state == .resolved || issue.state == .ignored {
      try end(issue, facts, app: app, hour: hour, at: time, in: database)
    }
    return fresh
  }

  /// Notes values and the user of an event, without counting it.
  ///
  /// - Returns: What need not be noted again, and by how many the users of the group grew.
  static func learn(
    _ facts: IssueFacts, group: Int64, app: String, at time: Double, _ memory: IssueMemory, in database: any SQLDatabase
  ) throws -> (fresh: IssueMemory.Fresh, users: Int64) {
    var digests = facts.values.map { digest(app, group, $0.key, $0.value) }
    digests.append(facts.user.isEmpty ? 0 : digest(app, group, "", facts.user))
    digests.append(facts.release.map { digest(app, whole, "release", $0) } ?? 0)
    digests.append(digest(app, group, "text:", facts.text))
    let (places, epoch) = memory.unknown(digests)
    var users: Int64 = 0
    for place in places where digests[place] != 0 {
      switch place - facts.values.count {
      case 0: users = try addUser(facts.user, group, app: app, memory, in: database)
      case 1:
        let release = IssueFacts.Value(key: "release", value: facts.release ?? "")
        try add(release, whole, app: app, at: time, in: database)
      case 2: try addText(facts.text, group, app: app, in: database)
      default: try add(facts.values[place], group, app: app, at: time, in: database)
      }
    }
    return (IssueMemory.Fresh(epoch: epoch, digests: places.map { digests[$0] }), users)
  }

  private static func digest(_ app: String, _ issue: Int64, _ key: String, _ value: String) -> Int {
    var hasher = Hasher()
    hasher.combine(app)
    hasher.combine(issue)
    hasher.combine(key)
    hasher.combine(value)
    let digest = hasher.finalize()
    return digest == 0 ? 1 : digest
  }

  static func addHour(
    _ hour: Int64, _ count: Int64, _ issue: Int64, app: String, in database: any SQLDatabase
  ) throws {
    try database.run(
      """
      INSERT INTO issue_hours (app, issue, hour, count) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (app, issue, hour) DO UPDATE SET count = issue_hours.count + excluded.count
      """, [.text(app), .integer(issue), .integer(hour), .integer(count)])
  }

  private static func add(
    _ value: IssueFacts.Value, _ issue: Int64, app: String, at time: Double, in database: any SQLDatabase
  ) throws {
    // Of a whole app all releases are kept: what is newer is told by them.
    let most = issue == whole ? Int(Int32.max) : mostValues
    try database.run(
      """
      INSERT INTO issue_values (app, issue, key, value, first) SELECT ?1, ?2, ?3, ?4, ?5 WHERE
      EXISTS (SELECT 1 FROM issue_values WHERE app = ?1 AND issue = ?2 AND key = ?3 AND value = ?4) OR ?6 >
      (SELECT count(*) FROM (SELECT 1 FROM issue_values WHERE app = ?1 AND issue = ?2 AND key = ?3 LIMIT ?6) AS known)
      ON CONFLICT (app, issue, key, value) DO UPDATE SET first = excluded.first
      WHERE excluded.first < issue_values.first
      """,
      [
        .text(app), .integer(issue), .text(value.key), .text(value.value), .real(time), .integer(most),
      ])
  }

  private static func addText(_ text: String, _ issue: Int64, app: String, in database: any SQLDatabase) throws {
    try database.run(
      """
      INSERT INTO issue_texts (app, issue, text) SELECT ?1, ?2, ?3 WHERE ?4 >
      (SELECT count(*) FROM issue_texts WHERE app = ?1 AND issue = ?2) ON CONFLICT (app, issue, text) DO NOTHING
      """, [.text(app), .integer(issue), .text(text), .integer(mostTexts)])
  }

  /// Adds a user to a group and to the app; says by how many the users of the group grew.
  private static func addUser(
    _ user: String, _ group: Int64, app: String, _ memory: IssueMemory, in database: any SQLDatabase
  ) throws -> Int64 {
    let digest = try memory.digest(ofUser: user, app: app, in: database)
    let new = try database.rows(
      """
      INSERT INTO issue_users (app, issue, user) VALUES (?1, ?2, ?4), (?1, ?3, ?4)
      ON CONFLICT (app, issue, user) DO NOTHING RETURNING issue
      """, [.text(app), .integer(group), .integer(whole), .integer(digest)]
    ) { $0.integer(0) }
    if new.contains(whole) {
      try database.run("UPDATE issue_apps SET users = users + 1 WHERE app = ?", [.text(app)])
    }
    guard new.contains(group) else { return 0 }
    try database.run(
      "UPDATE crash_groups SET users = users + 1 WHERE app = ? AND id = ?", [.text(app), .integer(group)])
    return 1
  }

  /// Counts an event in the issue that its group was merged into.
  ///
  /// - Parameter user: A user who is new in the group.
  private static func joinParent(
    _ parent: Int64, app: String, _ user: String?, at time: Double, _ memory: IssueMemory,
    in database: any SQLDatabase
  ) throws -> Joined? {
    var users: Int64 = 0
    if let user {
      let digest = try memory.digest(ofUser: user, app: app, in: database)
      let groups = try database.row(
        """
        SELECT count(*) FROM issue_users WHERE app = ?1 AND user = ?3 AND issue IN
        (SELECT id FROM crash_groups WHERE app = ?1 AND merged_into = ?2 UNION ALL SELECT ?2)
        """, [.text(app), .integer(parent), .integer(digest)]
      ) { $0.integer(0) }
      users = groups == 1 ? 1 : 0
    }
    return try database.row(
      """
      UPDATE crash_groups SET count = count + 1, users = users + ?3, last = CASE WHEN last > ?4 THEN last ELSE ?4 END,
      first = CASE WHEN first < ?4 THEN first ELSE ?4 END WHERE app = ?1 AND id = ?2 RETURNING \(joinedColumns)
      """, [.text(app), .integer(parent), .integer(users), .real(time)], joined)
  }

  static let joinedColumns = "id, count, state, rule, merged_into, users"

  static func joined(_ row: SQLRow) -> Joined {
    Joined(
      id: row.integer(0), count: row.integer(1), state: IssueState(rawValue: row.text(2)) ?? .unresolved,
      rule: row.optionalText(3), mergedInto: row.optionalInteger(4), users: row.integer(5))
  }

  /// Ends the state of an issue where the event asks for it.
  private static func end(
    _ issue: Joined, _ facts: IssueFacts, app: String, hour: Int64, at time: Double, in database: any SQLDatabase
  ) throws {
    let rule = issue.rule.map(IssueRule.init(json:)) ?? IssueRule()
    let next: IssueState
    if issue.state == .resolved {
      let reopens = try rule.reopens(facts.release) { release in
        try database.row(
          "SELECT first FROM issue_values WHERE app = ? AND issue = ? AND key = 'release' AND value = ?",
          [.text(app), .integer(whole), .text(release)]
        ) { $0.real(0) }
      }
      guard reopens else { return }
      next = .regressed
    } else {
      let inHour = rule.perHour == nil ? 0 : try self.inHour(hour, of: issue.id, app: app, in: database)
      guard rule.endsIgnoring(IssueMoment(count: issue.count, users: issue.users, hour: inHour, time: time)) else {
        return
      }
      next = .unresolved
    }
    try database.run(
      "UPDATE crash_groups SET state = ?, rule = NULL, wake = NULL WHERE app = ? AND id = ?",
      [.text(next.rawValue), .text(app), .integer(issue.id)])
    try IssueNotes.add(
      IssueNote(kind: next.rawValue, text: facts.release ?? "", author: "", time: time), to: issue.id, app: app,
      in: database)
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
