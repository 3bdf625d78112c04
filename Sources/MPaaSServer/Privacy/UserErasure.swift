import MPaaSDatabase
import MPaaSSupport

/// Removes all that is stored of a user of an app.
///
/// It goes on in small transactions, between which others write. One that was ended before its receipt is done by asking
/// again. What counts without a name stays: sessions, the hours of issues, estimates of how many users there are.
struct UserErasure: Sendable {
  private static let batch = 64
  /// The newest crashes of an issue that say what it is searched by once others of it are gone.
  private static let remembered = 200

  let services: ServerServices
  private let reading: ReportReading

  init(_ services: ServerServices) {
    self.services = services
    reading = ReportReading(services.rules)
  }

  /// Removes all; gives what was removed, by its kind.
  func remove(_ user: String, of app: String) async throws -> [String: Int] {
    // Blobs of an erasure that was ended before its receipt.
    try await services.removals.run()
    let subject = try await services.store.read { try UserSubject(app: app, user: user, in: $0) }
    var removed = try await removeUploads(subject)
    removed.merge(try await removeCrashes(subject), uniquingKeysWith: +)
    removed["issue_user"] = try await leaveIssues(subject)
    removed["session"] = try await leaveSessions(subject)
    removed["day"] = try await leaveDays(subject)
    removed.merge(try await removeRows(subject), uniquingKeysWith: +)
    try await BaseRetirement(services: services).run()
    return removed
  }

  /// Does a change that erases.
  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLDatabase) throws -> Value
  ) async throws -> Value {
    try await services.store.write { database in try database.erasing { try body(database) } }
  }

  // MARK: - Uploads and crashes

  private func removeUploads(_ subject: UserSubject) async throws -> [String: Int] {
    let uploads = UploadService(services)
    let found = try await services.store.read { try subject.uploads(in: $0) }
    for record in found { try await uploads.remove(record) }
    return ["upload": found.count]
  }

  /// A group that crashes are removed of, with what they told of it.
  private struct Affected: Sendable {
    var values: Set<IssueFacts.Value> = []
    var texts: Set<String> = []
  }

  private func removeCrashes(_ subject: UserSubject) async throws -> [String: Int] {
    var removed: [String: Int] = [:]
    var affected: [Int64: Affected] = [:]
    let blobs = services.blobs
    while true {
      let rows = try await services.store.read {
        try StoredReport.all(
          where: "c.app = ? AND c.user = ? AND c.user <> ''", [.text(subject.app), .text(subject.user)], order: "c.id",
          Self.batch, in: $0)
      }
      if rows.isEmpty { break }
      let found = try await StoredReport.whole(rows, from: blobs)
      let facts = try await services.disk { [reading] in found.map { ($0.group, $0.summary(reading)?.facts) } }
      for (group, facts) in facts {
        affected[group, default: Affected()].values.formUnion(facts?.values ?? [])
        if let facts { affected[group, default: Affected()].texts.insert(facts.text) }
      }
      let attachments = try await write { try Self.remove(found, app: subject.app, in: $0) }
      removed["crash", default: 0] += found.count
      removed["attachment", default: 0] += attachments
      try await services.removals.run()
    }
    await services.forgetIssues()
    for (group, told) in affected { try await remember(group, told, app: subject.app) }
    return removed
  }

  /// Removes crashes; gives the number of their attachments.
  private static func remove(_ crashes: [StoredReport], app: String, in database: any SQLDatabase) throws -> Int {
    var attachments = 0
    var blobs: Set<String> = []
    for crash in crashes {
      let own = try CrashStore.attachments(of: crash.id, in: database).map(\.blob)
      attachments += own.count
      blobs.formUnion(own)
      let blob = try database.row("SELECT blob FROM crashes WHERE id = ?", [.integer(crash.id)]) { $0.optionalText(0) }
      if let blob = blob ?? nil { blobs.insert(blob) }
      try IssueStore.remove(crash: crash.id, in: database)
    }
    for (group, left) in Dictionary(grouping: crashes, by: \.group) {
      try IssueStore.leave(group, app: app, left.map(\.received), heir: nil, in: database)
    }
    try BlobRemovals.note(blobs, in: database)
    return attachments
  }

  /// Takes away what an issue is searched by, as far as only crashes told it that are gone.
  private func remember(_ group: Int64, _ told: Affected, app: String) async throws {
    let (owner, number) = (SQLValue.text(app), SQLValue.integer(group))
    try await write { database in
      for value in told.values {
        try database.run(
          "DELETE FROM issue_values WHERE app = ? AND issue = ? AND key = ? AND value = ?",
          [owner, number, .text(value.key), .text(value.value)])
      }
      for text in told.texts {
        try database.run(
          "DELETE FROM issue_texts WHERE app = ? AND issue = ? AND text = ?", [owner, number, .text(text)])
      }
    }
    await services.forgetIssues()
    let blobs = services.blobs
    let rows = try await services.store.read {
      try StoredReport.all(where: "c.group_id = ?", [number], order: "c.id DESC", Self.remembered, in: $0)
    }
    // Facts of reports whose bucket is away come back when crashes are grouped anew.
    let left = (try? await StoredReport.whole(rows, from: blobs)) ?? rows
    let summaries = try await services.disk { [reading] in
      left.reversed().map { (crash: $0, summary: $0.summary(reading)) }
    }
    try await services.store.write { database in
      let memory = IssueMemory()
      // Another user's may be removed at the same time.
      let there = try CrashStore.left(left, in: database)
      for (crash, summary) in summaries where there.contains(crash.id) {
        guard let summary else { continue }
        try IssueStore.complete(
          summary.facts, level: summary.level, group, app: app, at: crash.received, memory, in: database)
      }
    }
  }

  // MARK: - Counts

  /// Takes the user out of those whom issues count; gives the number of issues.
  private func leaveIssues(_ subject: UserSubject) async throws -> Int {
    let count = try await write { database -> Int in
      let name = IssueFacts.kept(subject.user)
      guard let digest = try IssueMemory.digest(ofUser: name, app: subject.app, reading: database) else { return 0 }
      return try IssueStore.forget(user: digest, app: subject.app, in: database)
    }
    await services.forgetIssues()
    return count
  }

  /// Takes the user's marks off sessions; gives the number of sessions.
  private func leaveSessions(_ subject: UserSubject) async throws -> Int {
    let members = try await services.store.read { try subject.members(in: $0) }
    var count = 0
    for member in members {
      let value = SQLValue.integer(Int64(bitPattern: member))
      let found = try await services.store.read { database in
        try database.rows("SELECT sid FROM sessions WHERE app = ? AND member = ?", [.text(subject.app), value]) {
          $0.blob(0)
        }
      }
      for start in stride(from: 0, to: found.count, by: 1000) {
        let part = found[start..<min(start + 1000, found.count)]
        try await write { database in
          for sid in part {
            try database.run(
              "UPDATE sessions SET member = NULL WHERE app = ? AND sid = ?", [.text(subject.app), .blob(sid)])
          }
        }
      }
      count += found.count
    }
    return count
  }

  /// Takes the user out of the sets of days that name each member; gives the number of sets.
  private func leaveDays(_ subject: UserSubject) async throws -> Int {
    let members = try await services.store.read { try subject.members(in: $0) }
    if members.isEmpty { return 0 }
    var count = 0
    let keys = [
      ("release_members", ["release", "start"]), ("device_days", ["start", "kind", "name"]),
      ("patch_members", ["number", "start"]),
    ]
    for (table, key) in keys {
      let found = try await services.store.read { database in
        try MemberRows.keys(of: table, key, app: subject.app, naming: members, in: database)
      }
      for start in stride(from: 0, to: found.count, by: 200) {
        let part = found[start..<min(start + 200, found.count)]
        try await write { database in
          for values in part {
            try MemberRows.remove(members, from: table, key: ["app"] + key, [.text(subject.app)] + values, in: database)
          }
        }
      }
      count += found.count
    }
    return try await count
      + write { database in
        var count = 0
        for member in members {
          for table in ["crashed_members", "patch_crashes"] {
            try database.run(
              "DELETE FROM \(table) WHERE app = ? AND member = ?",
              [.text(subject.app), .integer(Int64(bitPattern: member))])
            count += database.changes
          }
        }
        return count
      }
  }

  // MARK: - Other rows

  private func removeRows(_ subject: UserSubject) async throws -> [String: Int] {
    var removed: [String: Int] = [:]
    for rows in UserRows.all {
      removed[rows.kind] = try await write { database in
        let (sql, values) = rows.condition(subject)
        try Self.removeBelonging(rows.table, sql, values, app: subject.app, in: database)
        try database.run("DELETE FROM \(rows.table) WHERE \(sql)", values)
        return database.changes
      }
    }
    return removed
  }

  /// Removes what hangs on rows that are about to go.
  private static func removeBelonging(
    _ table: String, _ condition: String, _ values: [SQLValue], app: String, in database: any SQLDatabase
  ) throws {
    switch table {
    case "feedback":
      try database.run(
        "DELETE FROM feedback_messages WHERE feedback IN (SELECT number FROM feedback WHERE \(condition))", values)
    case "push_installations":
      let own = "(SELECT number FROM push_installations WHERE \(condition))"
      try database.run("DELETE FROM push_tags WHERE installation IN \(own)", values)
      // The numbers of campaigns count them still.
      try database.run(
        """
        UPDATE push_deliveries SET name = '', token = NULL
        WHERE campaign IN (SELECT number FROM push_campaigns WHERE app = ?1) AND installation IN \(own)
        """, values)
    default: break
    }
  }
}
