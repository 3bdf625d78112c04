import MPaaSDatabase
import MPaaSSupport

/// The health of releases, read from the counts that were kept while sessions were written.
enum HealthStore {
  fileprivate struct Known {
    let number: ReleaseNumber
    let name: String
    let environment: String
    let first: Int64
  }

  /// The order of releases.
  enum Order: Sendable {
    case mostSessions
    /// By the first session of each.
    case newest
  }

  /// The health of the releases that have sessions in the time.
  ///
  /// A release that was asked for by its name is there without sessions too.
  ///
  /// - Parameter most: The most releases.
  static func health(
    _ query: HealthQuery, at now: Double, order: Order = .mostSessions, most: Int = .max, in database: any SQLDatabase
  ) throws -> [ReleaseHealth] {
    var found: [(known: Known, health: ReleaseHealth)] = []
    for known in try releases(query, in: database) {
      var health = ReleaseHealth(app: known.number.app, release: known.name, environment: known.environment)
      health.counts = try counts(of: known.number, from: query.from, to: query.to, in: database)
      if health.counts.sessions > 0 || query.release != nil { found.append((known, health)) }
    }
    found.sort {
      if order == .newest, $0.known.first != $1.known.first { return $0.known.first > $1.known.first }
      return
        ($1.health.counts.sessions, $0.known.name, $0.known.environment)
        < ($0.health.counts.sessions, $1.known.name, $1.known.environment)
    }
    let adoption = try Adoption(query, at: now, in: database)
    return try found.prefix(most).map { known, health in
      var health = health
      (health.users, health.crashedUsers) = try users(of: known.number, query, in: database)
      health.adoption = adoption.share(of: known.number)
      if let interval = query.interval {
        health.series = try series(of: known.number, interval, from: query.from, to: query.to, in: database)
      }
      return health
    }
  }

  /// The points of all releases together, in order of time.
  static func series(_ query: HealthQuery, _ interval: HealthInterval, in database: any SQLDatabase) throws
    -> [ReleaseHealth.Point]
  {
    var points: [Int64: SessionCounts] = [:]
    for known in try releases(query, in: database) {
      for point in try series(of: known.number, interval, from: query.from, to: query.to, in: database) {
        points[point.start, default: SessionCounts()] += point.counts
      }
    }
    return points.sorted { $0.key < $1.key }.map { ReleaseHealth.Point(start: $0.key, counts: $0.value) }
  }

  fileprivate static func releases(_ query: HealthQuery, in database: any SQLDatabase) throws -> [Known] {
    try database.rows(
      """
      SELECT app, release, name, environment, first FROM releases
      WHERE (?1 IS NULL OR app = ?1) AND (?2 IS NULL OR name = ?2) AND (?3 IS NULL OR environment = ?3)
      AND (?2 IS NOT NULL OR (last >= ?4 AND first < ?5)) ORDER BY app, release
      """,
      [
        .optional(query.app), .optional(query.release), .optional(query.environment), .integer(query.from),
        .integer(query.to),
      ]
    ) { row in
      Known(
        number: ReleaseNumber(app: row.text(0), number: row.integer(1)), name: row.text(2), environment: row.text(3),
        first: row.integer(4))
    }
  }

  /// The sessions of a time: whole days by the day, what is left at both ends by the hour or the minute.
  fileprivate static func counts(
    of release: ReleaseNumber, from: Int64, to: Int64, in database: any SQLDatabase
  ) throws -> SessionCounts {
    var sum = SessionCounts()
    var (rest, end) = (from, to)
    for interval in [HealthInterval.minute, .hour] {
      let wider: HealthInterval = interval == .minute ? .hour : .day
      let (first, last) = (min(wider.end(of: rest), end), max(wider.start(of: end), rest))
      if first > last {
        sum += try self.sum(of: release, interval, from: rest, to: end, in: database)
        return sum
      }
      sum += try self.sum(of: release, interval, from: rest, to: first, in: database)
      sum += try self.sum(of: release, interval, from: last, to: end, in: database)
      (rest, end) = (first, last)
    }
    sum += try self.sum(of: release, .day, from: rest, to: end, in: database)
    return sum
  }

  private static func sum(
    of release: ReleaseNumber, _ interval: HealthInterval, from: Int64, to: Int64, in database: any SQLDatabase
  ) throws -> SessionCounts {
    guard from < to else { return SessionCounts() }
    return try database.row(
      """
      SELECT coalesce(sum(healthy), 0), coalesce(sum(errored), 0), coalesce(sum(unhandled), 0),
      coalesce(sum(abnormal), 0), coalesce(sum(crashed), 0) FROM \(interval.table)
      WHERE app = ? AND release = ? AND start >= ? AND start < ?
      """, [.text(release.app), .integer(release.number), .integer(from), .integer(to)]
    ) { counts($0, from: 0) } ?? SessionCounts()
  }

  private static func series(
    of release: ReleaseNumber, _ interval: HealthInterval, from: Int64, to: Int64, in database: any SQLDatabase
  ) throws -> [ReleaseHealth.Point] {
    try database.rows(
      """
      SELECT start, healthy, errored, unhandled, abnormal, crashed FROM \(interval.table)
      WHERE app = ? AND release = ? AND start >= ? AND start < ? ORDER BY start
      """,
      [.text(release.app), .integer(release.number), .integer(interval.start(of: from)), .integer(to)]
    ) { ReleaseHealth.Point(start: $0.integer(0), counts: counts($0, from: 1)) }.filter { $0.counts.sessions > 0 }
  }

  private static func counts(_ row: SQLRow, from column: Int) -> SessionCounts {
    var counts = SessionCounts()
    counts.healthy = row.integer(column)
    counts.errored = row.integer(column + 1)
    counts.unhandled = row.integer(column + 2)
    counts.abnormal = row.integer(column + 3)
    counts.crashed = row.integer(column + 4)
    return counts
  }

  /// The users of all days that the time touches, and those of them for whom something crashed.
  private static func users(
    of release: ReleaseNumber, _ query: HealthQuery, in database: any SQLDatabase
  ) throws -> (all: Int64, crashed: Int64) {
    let key: [SQLValue] = [
      .text(release.app), .integer(release.number), .integer(HealthInterval.day.start(of: query.from)),
      .integer(query.to),
    ]
    var all = MemberUnion()
    try database.forEach(
      "SELECT members FROM release_members WHERE app = ? AND release = ? AND start >= ? AND start < ?", key
    ) { row in
      all.add(MemberSet(row.blob(0)))
      return true
    }
    let crashed =
      try database.row(
        """
        SELECT count(DISTINCT member) FROM crashed_members
        WHERE app = ? AND release = ? AND start >= ? AND start < ?
        """, key
      ) { $0.integer(0) } ?? 0
    // An estimate may be less than those that are known each.
    return (max(all.count, crashed), crashed)
  }

  /// The sessions of the last 24 hours before the end of a question, or before now where that is in the future.
  private struct Adoption {
    private var sessions: [ReleaseNumber: Int64] = [:]
    private var all: Int64 = 0

    init(_ query: HealthQuery, at now: Double, in database: any SQLDatabase) throws {
      let end = min(query.to, HealthInterval.hour.end(of: Int64(now) + 1))
      var asked = query
      asked.release = nil
      (asked.from, asked.to) = (end - HealthInterval.day.width, end)
      for known in try HealthStore.releases(asked, in: database) {
        let count = try HealthStore.counts(of: known.number, from: asked.from, to: asked.to, in: database).sessions
        sessions[known.number] = count
        all += count
      }
    }

    func share(of release: ReleaseNumber) -> Double? { SessionCounts.share(sessions[release] ?? 0, of: all) }
  }
}
