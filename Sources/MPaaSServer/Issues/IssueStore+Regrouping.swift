import MPaaSDatabase

/// The part of issues in moving crashes from group to group.
extension IssueStore {
  /// Notes what a crash that was stored before tells of its issue, without counting it.
  static func complete(
    _ facts: IssueFacts, level: String, _ group: Int64, app: String, at time: Double, _ memory: IssueMemory,
    in database: any SQLDatabase
  ) throws {
    try database.run(
      "UPDATE crash_groups SET level = ? WHERE app = ? AND id = ?", [.text(level), .text(app), .integer(group)])
    let users = try learn(facts, group: group, app: app, at: time, memory, in: database).users
    guard users > 0 else { return }
    let parent =
      try database.row(
        "SELECT merged_into FROM crash_groups WHERE app = ? AND id = ?", [.text(app), .integer(group)]
      ) { $0.optionalInteger(0) } ?? nil
    if let parent { try recountMembers(parent, app: app, in: database) }
  }

  /// Takes crashes that were moved out of a group's counts, and the group away with its last one.
  ///
  /// - Parameters:
  ///   - times: The times at which the crashes came.
  ///   - heir: The group that takes over what people did with one that goes; nil where that goes, too.
  static func leave(
    _ group: Int64, app: String, _ times: [Double], heir: Int64?, in database: any SQLDatabase
  ) throws {
    let owner = SQLValue.text(app)
    let number = SQLValue.integer(group)
    for time in times {
      try database.run(
        "UPDATE issue_hours SET count = count - 1 WHERE app = ? AND issue = ? AND hour = ? AND count > 0",
        [owner, number, .integer(Int64(clamping: Int(time / 3600)))])
    }
    let count = SQLValue.integer(Int64(times.count))
    try database.run("UPDATE crash_groups SET count = count - ? WHERE app = ? AND id = ?", [count, owner, number])
    let parent =
      try database.row(
        "SELECT merged_into FROM crash_groups WHERE app = ? AND id = ?", [owner, number]
      ) { $0.optionalInteger(0) } ?? nil
    let isLeft = try database.row("SELECT 1 FROM crashes WHERE group_id = ? LIMIT 1", [number]) { _ in true } ?? false
    let merges =
      try database.row(
        "SELECT merges FROM crash_groups WHERE app = ? AND id = ?", [owner, number]
      ) { $0.integer(0) } ?? 0
    if isLeft || merges > 0 {
      try retime(group, app: app, in: database)
      try database.run(
        """
        UPDATE crash_groups SET title = coalesce((SELECT title FROM crashes WHERE group_id = ?2 ORDER BY id DESC LIMIT 1),
        (SELECT k.title FROM crash_groups k WHERE k.app = ?1 AND k.merged_into = ?2 ORDER BY k.last DESC LIMIT 1), title)
        WHERE app = ?1 AND id = ?2
        """, [owner, number])
    } else {
      if let heir { try inherit(group, heir, app: app, in: database) }
      try forget(group, app: app, in: database)
    }
    guard let parent else { return }
    try database.run(
      "UPDATE crash_groups SET count = count - ? WHERE app = ? AND id = ?", [count, owner, .integer(parent)])
    try recountMembers(parent, app: app, in: database)
    try retime(parent, app: app, in: database)
  }

  /// Hands the state, the assignee and the history of a group that goes to another one that has none yet.
  private static func inherit(_ group: Int64, _ heir: Int64, app: String, in database: any SQLDatabase) throws {
    let (owner, number) = (SQLValue.text(app), SQLValue.integer(group))
    try database.run(
      """
      UPDATE crash_groups SET state = g.state, rule = g.rule, wake = g.wake, assignee = g.assignee
      FROM (SELECT state, rule, wake, assignee FROM crash_groups WHERE app = ?1 AND id = ?2) AS g
      WHERE crash_groups.app = ?1 AND crash_groups.id = ?3 AND crash_groups.state = 'unresolved'
      AND crash_groups.assignee IS NULL
      """, [owner, number, .integer(heir)])
    try database.run(
      "UPDATE issue_notes SET issue = ? WHERE app = ? AND issue = ?", [.integer(heir), owner, number])
  }

  /// Removes a group that has no crashes any more.
  private static func forget(_ group: Int64, app: String, in database: any SQLDatabase) throws {
    let (owner, number) = (SQLValue.text(app), SQLValue.integer(group))
    for table in ["issue_values", "issue_texts", "issue_users", "issue_hours", "issue_notes", "missing_images"] {
      try database.run("DELETE FROM \(table) WHERE app = ? AND issue = ?", [owner, number])
    }
    try database.run("DELETE FROM crash_groups WHERE app = ? AND id = ?", [owner, number])
  }
}
