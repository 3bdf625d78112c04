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

  private struct Name: Hashable, Comparable {
    let app: String
    let sid: [UInt8]

    static func < (left: Self, right: Self) -> Bool {
      left.app == right.app ? left.sid.lexicographicallyPrecedes(right.sid) : left.app < right.app
    }
  }

  /// A row of a session.
  private struct Row {
    let release: ReleaseNumber
    let started: Int64
    let member: Int64?
    var state: SessionState
    var errors: Int64
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

    init(_ update: SessionUpdate) {
      (app, release, environment) = (update.app, update.release, update.environment)
    }

    var number: ReleaseNumber { ReleaseNumber(app: app, release: release, environment: environment) }
  }

  /// The most releases of an app, each counted in each of its environments.
  static let mostReleases = 5_000

  private let database: any SQLDatabase
  /// Seconds since 1970.
  private let now: Int64
  private var secrets = HealthSecrets()
  /// The releases that the database has, and when each was seen first and last; in seconds since 1970.
  private var known: [ReleaseNumber: (first: Int64, last: Int64)] = [:]
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
    try readReleases(of: updates)
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
    try merge(sessions)
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

  /// Merges sessions with the rows that there are; each row is written once.
  private mutating func merge(_ sessions: [Name: SessionUpdate]) throws {
    let names = sessions.keys.sorted()
    let stored = try rows(of: names)
    var changed: [(name: Name, row: Row)] = []
    for name in names {
      guard let update = sessions[name] else { continue }
      let row = if let known = stored[name] { merge(update, known) } else { try made(update) }
      if let row { changed.append((name, row)) }
    }
    // A statement is prepared for each choice of values that are null.
    for rows in Dictionary(grouping: changed, by: { $0.row.member == nil }).values {
      try database.run(
        overRows: rows.map { name, row in
          [
            .text(name.app), .blob(name.sid), .integer(row.release.number), .integer(row.started),
            .optional(row.member), .integer(row.state.rawValue), .integer(row.errors),
          ]
        }
      ) {
        """
        INSERT INTO sessions (app, sid, release, started, member, state, errors) VALUES \($0)
        ON CONFLICT (app, sid) DO UPDATE SET state = excluded.state, errors = excluded.errors
        """
      }
    }
  }

  private func rows(of names: [Name]) throws -> [Name: Row] {
    let found = try database.rows(
      forEach: names.map { [.text($0.app), .blob($0.sid)] },
      "SELECT app, sid, release, started, member, state, errors FROM sessions WHERE app = ? AND sid = ?"
    ) { row in
      let app = row.text(0)
      return (
        Name(app: app, sid: row.blob(1)),
        Row(
          release: ReleaseNumber(app: app, number: row.integer(2)), started: row.integer(3),
          member: row.optionalInteger(4), state: SessionState(rawValue: Int(row.integer(5))) ?? .ok,
          errors: row.integer(6))
      )
    }
    return Dictionary(found) { $1 }
  }

  /// The row of a session that is known, as the update leaves it; nil where it tells nothing new.
  private mutating func merge(_ update: SessionUpdate, _ known: Row) -> Row? {
    var row = known
    (row.state, row.errors) = (max(known.state, update.state), max(known.errors, update.errors))
    guard row.state != known.state || row.errors != known.errors else {
      outcome.duplicates += 1
      return nil
    }
    outcome.accepted += 1
    var change = SessionCounts(row.state, errors: row.errors)
    change -= SessionCounts(known.state, errors: known.errors)
    if !change.isEmpty { add(change, known.release, known.started) }
    if let member = known.member, row.state == .crashed, known.state != .crashed {
      add(UInt64(bitPattern: member), hasCrashed: true, known.release, known.started)
    }
    return row
  }

  /// The row of a new session; nil where it is refused.
  private mutating func made(_ update: SessionUpdate) throws -> Row? {
    guard let release = try number(of: update) else {
      outcome.refused += 1
      return nil
    }
    outcome.accepted += 1
    let member = try update.user.map { try secrets.member($0, app: update.app, in: database) }
    add(SessionCounts(update.state, errors: update.errors), release, update.started)
    if let member { add(member, hasCrashed: update.state == .crashed, release, update.started) }
    return Row(
      release: release, started: update.started, member: member.map { Int64(bitPattern: $0) }, state: update.state,
      errors: update.errors)
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

  private mutating func readReleases(of updates: [SessionUpdate]) throws {
    let found = try database.rows(
      forEach: Set(updates.map(ReleaseName.init)).map(\.number).map { [.text($0.app), .integer($0.number)] },
      "SELECT app, release, first, last FROM releases WHERE app = ? AND release = ?"
    ) { row in
      (ReleaseNumber(app: row.text(0), number: row.integer(1)), (first: row.integer(2), last: row.integer(3)))
    }
    known = Dictionary(found) { $1 }
  }

  /// The number of an update's release; nil where the app has too many.
  private mutating func number(of update: SessionUpdate) throws -> ReleaseNumber? {
    let name = ReleaseName(update)
    if let known = releases[name] { return known }
    let number = name.number
    if known[number] == nil {
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
      known[number] = (update.started, update.started)
    }
    releases[name] = number
    return number
  }

  /// Keeps when a release was seen last, by the hour.
  private func keepReleases() throws {
    for (release, started) in seen.sorted(by: { $0.key < $1.key }) {
      let hour = HealthInterval.hour.end(of: started + 1)
      if let known = known[release], known.first <= started, hour <= known.last { continue }
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
    let rows: [[SQLValue]] = points.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { point, counts in
      [
        .text(point.release.app), .integer(point.release.number), .integer(point.start), .integer(counts.healthy),
        .integer(counts.errored), .integer(counts.unhandled), .integer(counts.abnormal), .integer(counts.crashed),
      ]
    }
    try database.run(overRows: rows) {
      """
      INSERT INTO \(interval.table) AS kept
      (app, release, start, healthy, errored, unhandled, abnormal, crashed) VALUES \($0)
      ON CONFLICT (app, release, start) DO UPDATE SET healthy = kept.healthy + excluded.healthy,
      errored = kept.errored + excluded.errored, unhandled = kept.unhandled + excluded.unhandled,
      abnormal = kept.abnormal + excluded.abnormal, crashed = kept.crashed + excluded.crashed
      """
    }
  }

  private func keepMembers() throws {
    let found = members.sorted { $0.key < $1.key }
    try MemberRows.add(
      found.map { (key: Self.key($0.key), members: $0.value.keys) }, to: "release_members",
      key: ["app", "release", "start"], in: database)
    let crashed = found.flatMap { point, members in
      members.filter(\.value).keys.sorted().map { Self.key(point) + [.integer(Int64(bitPattern: $0))] }
    }
    try database.run(overRows: crashed) {
      """
      INSERT INTO crashed_members (app, release, start, member) VALUES \($0)
      ON CONFLICT (app, release, start, member) DO NOTHING
      """
    }
  }

  private static func key(_ point: Point) -> [SQLValue] {
    [.text(point.release.app), .integer(point.release.number), .integer(point.start)]
  }
}
