import MPaaSDatabase

extension IssueStore {
  /// Takes a user out of those whom an app and its issues count; gives the number of issues.
  static func forget(user: Int64, app: String, in database: any SQLDatabase) throws -> Int {
    let (owner, digest) = (SQLValue.text(app), SQLValue.integer(user))
    let issues = try database.rows(
      "SELECT issue FROM issue_users WHERE app = ? AND user = ?", [owner, digest]
    ) { $0.integer(0) }
    try database.run("DELETE FROM issue_users WHERE app = ? AND user = ?", [owner, digest])
    var parents: Set<Int64> = []
    for issue in issues {
      guard issue != whole else {
        try database.run("UPDATE issue_apps SET users = users - 1 WHERE app = ? AND users > 0", [owner])
        continue
      }
      // The number of an issue that others were merged into is that of all of them.
      parents.insert(issue)
      let parent = try database.row(
        "SELECT merged_into FROM crash_groups WHERE app = ? AND id = ?", [owner, .integer(issue)]
      ) { $0.optionalInteger(0) }
      if let parent = parent ?? nil { parents.insert(parent) }
    }
    for issue in parents { try recountMembers(issue, app: app, in: database) }
    return issues.count { $0 != whole }
  }
}
