import MPaaSDatabase
import MPaaSSupport

/// Sessions that are stored in one transaction: each row is read and written once, and so is each count.
///
/// What is written is in the order of keys, so that two servers on one database never wait for each other in a ring.
struct SessionBatch {
  /// The numbers of updates that told something new, of those that did not, and of those refused.
  struct Outcome: Sendable, Equatable {
    var accepted: Int64 = 0
    var duplicates: Int64 = 0
    var refused: Int64 = 0
    /// Versions of patches whose devices were not noted.
    var patchesLeftOut: Int64 = 0
  }

  private struct Name: Hashable {
    let app: String
    let sid: [UInt8]
  }

  private struct Point: Hashable, Comparable {
    let release: ReleaseNumber
    let start: Int64

    static func < (left: Self, right: Self) -> Bool { (left.release, left.start) < (right.release, right.start) }
  }

  private struct ReleaseName: Hashable {
    let app: String
    let release: String
    let environment: String
  }

  /// The most releases of an app, each counted in each of its environments.
  static let mostReleases = 5_000

  private let database: any SQLDatabase
  /// Seconds since 1970.
  private let now: Int64
  private var secrets = HealthSecrets()
  private var releases: [ReleaseName: ReleaseNumber?] = [:]
  private var seen: [ReleaseNumber: Int64] = [:]
  private var minutes: [Point: SessionCounts] = [:]
  private var members: [Point: [UInt64: Bool]] = [:]
  private var outcome = Outcome()

  /// Stores updates in the order in which they were told.
  static func store(_ updates: [SessionUpdate], at now: Double, in database: any SQLDatabase) throws -> Outcome {
    var batch = SessionBatch(database, now: Int64(now))
    try batch.take(updates)
    return batch.outcome
  }

  private init(_ database: any SQLDatabase, now: Int64) {
    self.database = database
    self.now = now
  }

  private mutating func take(_ updates: [SessionUpdate]) throws {
    var sessions: [Name: SessionUpdate] = [:]
    for update in updates {
      guard let sid = update.sid else {
        try count(update)
        continue
      }
      // Of several updates the first tells what a session is, and the worst how it ended.
      let name = Name(app: update.app, sid: sid)
      if let known = sessions[name] {
        let (state, errors) = (max(known.state, update.state), max(known.errors, update.errors))
        if state == known.state && errors == known.errors { outcome.duplicates += 1 } else { outcome.accepted += 1 }
        sessions[name]?.state = state
        sessions[name]?.errors = errors
      } else {
        sessions[name] = update
      }
    }
    let ordered = sessions.sorted {
      $0.key.app == $1.key.app
        ? $0.key.sid.lexicographicallyPrecedes($1.key.sid) : $0.key.app < $1.key.app
    }
    for (name, update) in ordered { try merge(update, name.sid) }
    try keepReleases()
    for interval in HealthInterval.allCases { try keepCounts(interval) }
    try keepMembers()
  }

  // MARK: - Sessions

  private mutating func count(_ update: SessionUpdate) throws {
    guard let release = try number(of: update) else { return outcome.refused += 1 }
    outcome.accepted += 1
    add(SessionCounts(update.state, errors: update.errors, count: update.count), release, update.started)
    guard let user = update.user else { return }
    let member = try secrets.member(user, app: update.app, in: database)
    add(member, hasCrashed: update.state == .crashed, release, update.started)
  }

  private mutating func merge(_ update: SessionUpdate, _ sid: [UInt8]) throws {
    let key: [SQLValue] = [.text(update.app), .blob(sid)]
    let known = try database.row(
      "SELECT release, started, member, state, errors FROM sessions WHERE app = ? AND sid = ?", key
    ) { row in
      (
        release: ReleaseNumber(app: update.app, number: row.integer(0)), started: row.integer(1),
        member: row.optionalInteger(2), state: SessionState(rawValue: Int(row.integer(3))) ?? .ok,
        errors: row.integer(4)
      )
    }
    guard let known else { return try insert(update, key) }
    let (state, errors) = (max(known.state, update.state), max(known.errors, update.errors))
    guard state != known.state || errors != known.errors else { return outcome.duplicates += 1 }
    outcome.accepted += 1
    try database.run(
      "UPDATE sessions SET state = ?, errors = ? WHERE app = ? AND sid = ?",
      [.integer(state.rawValue), .integer(errors)] + key)
    var change = SessionCounts(state, errors: errors)
    change -= SessionCounts(known.state, errors: known.errors)
    if !change.isEmpty { add(change, known.release, known.started) }
    if let member = known.member, state == .crashed, known.state != .crashed {
      add(UInt64(bitPattern: member), hasCrashed: true, known.release, known.started)
    }
  }

  private mutating func insert(_ update: SessionUpdate, _ key: [SQLValue]) throws {
    guard let release = try number(of: update) else { return outcome.refused += 1 }
    outcome.accepted += 1
    let member = try update.user.map { try secrets.member($0, app: update.app, in: database) }
    try database.run(
      "INSERT INTO sessions (app, sid, release, started, member, state, errors) VALUES (?, ?, ?, ?, ?, ?, ?)",
      key + [
        .integer(release.number), .integer(update.started), .optional(member.map { Int64(bitPattern: $0) }),
        .integer(update.state.rawValue), .integer(update.errors),
      ])
    add(SessionCounts(update.state, errors: update.errors), release, update.started)
    if let member { add(member, hasCrashed: update.state == .crashed, release, update.started) }
  }

  private mutating func add(_ counts: SessionCounts, _ release: ReleaseNumber, _ started: Int64) {
    minutes[Point(release: release, start: HealthInterval.minute.start(of: started)), default: SessionCounts()] +=
      counts
    seen[release] = max(seen[release] ?? .min, started)
  }

  private mutating func add(_ member: UInt64, hasCrashed: Bool, _ release: ReleaseNumber, _ started: Int64) {
    let point = Point(release: release, start: HealthInterval.day.start(of: started))
    members[point, default: [:]][member, default: false] = hasCrashed || members[point]?[member] ?? false
  }

  // MARK: - Releases

  /// The number of an update's release; nil where the app has too many.
  private mutating func number(of update: SessionUpdate) throws -> ReleaseNumber? {
    let name = ReleaseName(app: update.app, release: update.release, environment: update.environment)
    if let known = releases[name] { return known }
    let number = ReleaseNumber(app: update.app, release: update.release, environment: update.environment)
    let isKnown =
      try database.row(
        "SELECT 1 FROM releases WHERE app = ? AND release = ?", [.text(number.app), .integer(number.number)]
      ) { _ in true } ?? false
    if !isKnown {
      let count = try database.row("SELECT count(*) FROM releases WHERE app = ?", [.text(number.app)]) { $0.integer(0) }
      guard count ?? 0 < Self.mostReleases else {
        releases[name] = .some(nil)
        return nil
      }
      try database.run(
        "INSERT INTO releases (app, release, name, environment, first, last) VALUES (?, ?, ?, ?, ?, ?)",
        [
          .text(number.app), .integer(number.number), .text(name.release), .text(name.environment),
          .integer(update.started), .integer(update.started),
        ])
    }
    releases[name] = number
    return number
  }

  /// Keeps when a release was seen last, by the hour.
  private func keepReleases() throws {
    for (release, started) in seen.sorted(by: { $0.key < $1.key }) {
      let hour = HealthInterval.hour.end(of: started + 1)
      try database.run(
        "UPDATE releases SET last = ? WHERE app = ? AND release = ? AND last < ?",
        [.integer(hour), .text(release.app), .integer(release.number), .integer(hour)])
      try database.run(
        "UPDATE releases SET first = ? WHERE app = ? AND release = ? AND first > ?",
        [.integer(started), .text(release.app), .integer(release.number), .integer(started)])
    }
  }

  // MARK: - Counts

  private func keepCounts(_ interval: HealthInterval) throws {
    var points: [Point: SessionCounts] = [:]
    for (minute, counts) in minutes where minute.start >= now - interval.memory {
      points[Point(release: minute.release, start: interval.start(of: minute.start)), default: SessionCounts()] +=
        counts
    }
    for (point, counts) in points.sorted(by: { $0.key < $1.key }) where !counts.isEmpty {
      try database.run(
        """
        INSERT INTO \(interval.table) AS kept
        (app, release, start, healthy, errored, unhandled, abnormal, crashed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (app, release, start) DO UPDATE SET healthy = kept.healthy + excluded.healthy,
        errored = kept.errored + excluded.errored, unhandled = kept.unhandled + excluded.unhandled,
        abnormal = kept.abnormal + excluded.abnormal, crashed = kept.crashed + excluded.crashed
        """,
        [
          .text(point.release.app), .integer(point.release.number), .integer(point.start), .integer(counts.healthy),
          .integer(counts.errored), .integer(counts.unhandled), .integer(counts.abnormal), .integer(counts.crashed),
        ])
    }
  }

  private func keepMembers() throws {
    for (point, found) in members.sorted(by: { $0.key < $1.key }) {
      let key: [SQLValue] = [.text(point.release.app), .integer(point.release.number), .integer(point.start)]
      try MemberRows.add(found.keys, to: "release_members", key: ["app", "release", "start"], key, in: database)
      for (member, hasCrashed) in found.sorted(by: { $0.key < $1.key }) where hasCrashed {
        try database.run(
          """
          INSERT INTO crashed_members (app, release, start, member) VALUES (?, ?, ?, ?)
          ON CONFLICT (app, release, start, member) DO NOTHING
          """, key + [.integer(Int64(bitPattern: member))])
      }
    }
  }
}
