import MPaaSDatabase
import MPaaSSupport

extension IssueStore {
  /// The author of a change, and the moment.
  struct Author: Sendable {
    var name: String
    /// Seconds since 1970.
    var time: Double
    /// The app that the caller's token is limited to.
    var app: String?
  }

  /// Changes an issue.
  ///
  /// - Returns: The number of the issue that it is now, or was merged into; nil where there is none.
  /// - Throws: `server-bad-request` where it cannot be merged or split so.
  static func change(
    _ id: Int64, _ change: IssueChange, by author: Author, in database: any SQLDatabase
  ) throws -> Int64? {
    guard let entry = try entry(id, app: author.app, in: database) else { return nil }
    if let state = change.state { try set(state, change, id, entry, author, in: database) }
    if let assignee = change.assignee, assignee != entry.assignee ?? "" {
      try database.run(
        "UPDATE crash_groups SET assignee = ? WHERE app = ? AND id = ?",
        [assignee.isEmpty ? .null : .text(assignee), .text(entry.app), .integer(id)])
      try note("assigned", assignee, id, entry.app, author, in: database)
    }
    if let group = change.split { try split(group, from: id, entry, author, in: database) }
    guard let target = change.mergeInto else { return id }
    guard target != id, let other = try self.entry(target, app: author.app, in: database), other.app == entry.app else {
      throw IssueChange.wrong("merge_into")
    }
    try merge(id, into: target, entry, other, author, in: database)
    return target
  }

  private static func note(
    _ kind: String, _ text: String, _ id: Int64, _ app: String, _ author: Author, in database: any SQLDatabase
  ) throws {
    try IssueNotes.add(
      IssueNote(kind: kind, text: text, author: author.name, time: author.time), to: id, app: app, in: database)
  }

  private static func set(
    _ state: IssueState, _ change: IssueChange, _ id: Int64, _ entry: IssueEntry, _ author: Author,
    in database: any SQLDatabase
  ) throws {
    var rule: IssueRule?
    if let release = change.release { rule = IssueRule(release: release) }
    if change.isNext {
      rule = IssueRule(release: try newestRelease(of: entry.app, in: database), next: true)
    }
    if var until = change.until {
      until.count = until.count.map { entry.count + $0 }
      until.users = until.users.map { entry.users + $0 }
      if until.perHour != nil {
        let hour = Int64(clamping: Int(author.time / 3600))
        (until.hour, until.before) = (hour, try inHour(hour, of: id, app: entry.app, in: database))
      }
      rule = until
    }
    try database.run(
      "UPDATE crash_groups SET state = ?, rule = ?, wake = ? WHERE app = ? AND id = ?",
      [
        .text(state.rawValue), .optional(rule?.json), change.until?.time.map { .real($0) } ?? .null, .text(entry.app),
        .integer(id),
      ])
    guard state != entry.state || rule != nil else { return }
    try note(state.rawValue, rule?.release ?? "", id, entry.app, author, in: database)
  }

  /// The newest release of an app, by names where they tell, else by when they were first seen.
  static func newestRelease(of app: String, in database: any SQLDatabase) throws -> String? {
    let releases = try database.rows(
      "SELECT value, first FROM issue_values WHERE app = ? AND issue = ? AND key = 'release' ORDER BY first, value",
      [.text(app), .integer(whole)]
    ) { (name: ReleaseName($0.text(0)), seen: $0.real(1)) }
    var newest = releases.first
    for release in releases.dropFirst() {
      guard let best = newest else { break }
      if release.name.isNewer(than: best.name, seen: release.seen, other: best.seen) { newest = release }
    }
    return newest?.name.text
  }

  /// Makes an issue, and what was merged into it, part of another.
  private static func merge(
    _ id: Int64, into target: Int64, _ entry: IssueEntry, _ other: IssueEntry, _ author: Author,
    in database: any SQLDatabase
  ) throws {
    let app = SQLValue.text(entry.app)
    let children =
      try database.row(
        "SELECT coalesce(sum(count), 0), coalesce(min(first), 0) FROM crash_groups WHERE app = ? AND merged_into = ?",
        [app, .integer(id)]
      ) { $0.integer(0) } ?? 0
    try database.run(
      "UPDATE crash_groups SET merged_into = ? WHERE app = ? AND merged_into = ?",
      [.integer(target), app, .integer(id)])
    // Its own row is its own group's again.
    try database.run(
      """
      UPDATE crash_groups SET merged_into = ?, merges = 0, count = count - ?, state = 'unresolved', rule = NULL,
      wake = NULL, assignee = NULL WHERE app = ? AND id = ?
      """, [.integer(target), .integer(children), app, .integer(id)])
    try recount(id, app: entry.app, in: database)
    try database.run(
      """
      UPDATE crash_groups SET count = count + ?1, first = CASE WHEN first < ?2 THEN first ELSE ?2 END,
      last = CASE WHEN last > ?3 THEN last ELSE ?3 END, assignee = coalesce(assignee, ?4) WHERE app = ?5 AND id = ?6
      """,
      [
        .integer(entry.count), .real(entry.firstSeen), .real(entry.lastSeen), .optional(entry.assignee), app,
        .integer(target),
      ])
    try recountMembers(target, app: entry.app, in: database)
    try database.run(
      "UPDATE issue_notes SET issue = ? WHERE app = ? AND issue = ? AND kind = 'comment'",
      [.integer(target), app, .integer(id)])
    try note("merged", entry.title, target, entry.app, author, in: database)
  }

  /// Makes a group that was merged an issue of its own again.
  private static func split(
    _ group: Int64, from id: Int64, _ entry: IssueEntry, _ author: Author, in database: any SQLDatabase
  ) throws {
    let app = SQLValue.text(entry.app)
    let found = try database.row(
      "SELECT count, title FROM crash_groups WHERE app = ? AND id = ? AND merged_into = ?",
      [app, .integer(group), .integer(id)]
    ) { (count: $0.integer(0), title: $0.text(1)) }
    guard let found else { throw IssueChange.wrong("split") }
    try database.run(
      "UPDATE crash_groups SET merged_into = NULL WHERE app = ? AND id = ?", [app, .integer(group)])
    try database.run(
      "UPDATE crash_groups SET count = count - ? WHERE app = ? AND id = ?",
      [.integer(found.count), app, .integer(id)])
    try recount(group, app: entry.app, in: database)
    try recountMembers(id, app: entry.app, in: database)
    try retime(id, app: entry.app, in: database)
    try note("split", found.title, id, entry.app, author, in: database)
  }

  /// Counts the users of one group.
  private static func recount(_ id: Int64, app: String, in database: any SQLDatabase) throws {
    try database.run(
      """
      UPDATE crash_groups SET users = (SELECT count(*) FROM issue_users WHERE app = ?1 AND issue = ?2)
      WHERE app = ?1 AND id = ?2
      """, [.text(app), .integer(id)])
  }

  /// Counts the groups of an issue, and the users of all of them.
  static func recountMembers(_ id: Int64, app: String, in database: any SQLDatabase) throws {
    try database.run(
      """
      UPDATE crash_groups SET merges = (SELECT count(*) FROM crash_groups k WHERE k.app = ?1 AND k.merged_into = ?2),
      users = (SELECT count(DISTINCT user) FROM issue_users WHERE app = ?1 AND issue IN
      (SELECT k.id FROM crash_groups k WHERE k.app = ?1 AND k.merged_into = ?2 UNION ALL SELECT ?2))
      WHERE app = ?1 AND id = ?2
      """, [.text(app), .integer(id)])
  }

  /// Takes first and last of an issue from the crashes of its groups; ids follow the time of arrival.
  static func retime(_ id: Int64, app: String, in database: any SQLDatabase) throws {
    let groups = try database.rows(
      "SELECT id FROM crash_groups WHERE app = ?1 AND merged_into = ?2 UNION ALL SELECT ?2", [.text(app), .integer(id)]
    ) { $0.integer(0) }
    var (first, last): (Double?, Double?) = (nil, nil)
    for group in groups {
      for order in ["", " DESC"] {
        let time = try database.row(
          "SELECT received FROM crashes WHERE group_id = ? ORDER BY id\(order) LIMIT 1", [.integer(group)]
        ) { $0.real(0) }
        guard let time else { continue }
        first = min(first ?? time, time)
        last = max(last ?? time, time)
      }
    }
    guard let first, let last else { return }
    try database.run(
      "UPDATE crash_groups SET first = ?, last = ? WHERE app = ? AND id = ?",
      [.real(first), .real(last), .text(app), .integer(id)])
  }

  /// Removes an issue with its events, at most so many of them at once.
  ///
  /// Reports that others are packed against stay without a name until those are packed otherwise (`BaseRetirement`).
  ///
  /// - Returns: Whether events are left; nil where there is no such issue.
  static func remove(
    _ id: Int64, app: String?, atOnce most: Int, _ memory: IssueMemory, in database: any SQLDatabase
  ) throws -> Bool? {
    guard let entry = try entry(id, app: app, in: database) else { return nil }
    let owner = SQLValue.text(entry.app)
    let groups = try database.rows(
      "SELECT id FROM crash_groups WHERE app = ?1 AND merged_into = ?2 UNION ALL SELECT ?2", [owner, .integer(id)]
    ) { $0.integer(0) }
    for group in groups {
      let crashes = try database.rows(
        "SELECT id FROM crashes WHERE group_id = ? ORDER BY id LIMIT ?", [.integer(group), .integer(most)]
      ) { $0.integer(0) }
      for crash in crashes { try remove(crash: crash, in: database) }
      if crashes.count == most { return true }
    }
    memory.forget()
    try SharedEdition.issues.grow(in: database)
    for group in groups {
      for table in ["issue_values", "issue_texts", "issue_users", "issue_hours", "issue_notes", "missing_images"] {
        try database.run("DELETE FROM \(table) WHERE app = ? AND issue = ?", [owner, .integer(group)])
      }
      try database.run("DELETE FROM crash_groups WHERE app = ? AND id = ?", [owner, .integer(group)])
    }
    return false
  }

  /// Removes a crash; one that others are packed against loses all but its report.
  static func remove(crash: Int64, in database: any SQLDatabase) throws {
    try database.run("DELETE FROM crash_attachments WHERE crash = ?", [.integer(crash)])
    try database.run("DELETE FROM crash_bases WHERE crash = ?", [.integer(crash)])
    guard database.changes > 0 else { return try database.run("DELETE FROM crashes WHERE id = ?", [.integer(crash)]) }
    try database.run(
      """
      UPDATE crashes SET app = '', group_id = 0, event = ?, title = '', process = '', version = '', system = '',
      device = '', user = '', level = '', environment = '' WHERE id = ?
      """, [.blob(Access.randomBytes(16)), .integer(crash)])
  }
}
