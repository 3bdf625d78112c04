import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// The things that the condition of a rule is true of, against those that it was true of before.
struct AlertMeasure: Sendable {
  /// The difference to the last look, and what is still so.
  struct Changes: Sendable {
    var entered: [AlertMessage.Subject] = []
    var left: [AlertMessage.Subject] = []
    /// Those that a reminder may be sent of.
    var held: [AlertMessage.Subject] = []

    var isEmpty: Bool { entered.isEmpty && left.isEmpty && held.isEmpty }
  }

  /// Issues that one look takes.
  private static let mostIssues = 500
  private static let longestTitle = 200
  private static let day: Int64 = 86_400

  private let rule: AlertRule
  private let quotas: QuotaMeter
  private let now: Double

  init(_ rule: AlertRule, _ quotas: QuotaMeter, now: Double) {
    (self.rule, self.quotas, self.now) = (rule, quotas, now)
  }

  func changes(in database: any SQLDatabase) throws -> Changes {
    if let new = rule.when.new {
      return try issues("unresolved", new.level, since: "first", "'unresolved', 'regressed'", in: database)
    }
    if let regressed = rule.when.regressed {
      return try issues("regressed", regressed.level, since: "last", "'regressed'", in: database)
    }
    if let count = rule.when.count { return try figure(try events(count, in: database), count, in: database) }
    if let count = rule.when.users { return try figure(try users(count, in: database), count, in: database) }
    if let free = rule.when.crashFreeBelow { return try difference(try crashFree(free, in: database), in: database) }
    if let adoption = rule.when.adoption { return try difference(try adopted(adoption, in: database), in: database) }
    if let quota = rule.when.quota { return try difference(try used(quota, in: database), in: database) }
    return Changes()
  }

  // MARK: - Issues

  /// Issues that came into a state since the rule was made, and those that left it.
  ///
  /// - Parameters:
  ///   - moment: The column by which an issue is newer than the rule.
  ///   - staying: The states, as SQL, in which one that was told of counts as still there.
  private func issues(
    _ state: String, _ level: String?, since moment: String, _ staying: String, in database: any SQLDatabase
  ) throws -> Changes {
    var changes = Changes()
    let key: [SQLValue] = [.text(rule.app), .text(rule.id)]
    changes.entered = try database.rows(
      """
      SELECT g.id, g.title, g.count FROM crash_groups g WHERE g.app = ?1 AND g.merged_into IS NULL AND g.state = ?3
      AND g.\(moment) >= ?4 AND (?5 IS NULL OR g.level = ?5) AND NOT EXISTS (SELECT 1 FROM alert_states s
      WHERE s.app = ?1 AND s.rule = ?2 AND s.subject = CAST(g.id AS TEXT)) ORDER BY g.\(moment), g.id LIMIT ?6
      """, key + [.text(state), .real(rule.created), .optional(level), .integer(Self.mostIssues)]
    ) { subject(String($0.integer(0)), $0.text(1), String($0.integer(2))) }
    changes.left = try database.rows(
      """
      SELECT s.subject, s.title FROM alert_states s LEFT JOIN crash_groups g ON g.app = s.app
      AND CAST(g.id AS TEXT) = s.subject AND g.merged_into IS NULL
      WHERE s.app = ?1 AND s.rule = ?2 AND (g.id IS NULL OR g.state NOT IN (\(staying))) LIMIT ?3
      """, key + [.integer(Self.mostIssues)]
    ) { subject($0.text(0), $0.text(1)) }
    return changes
  }

  private func subject(_ id: String, _ title: String, _ value: String? = nil) -> AlertMessage.Subject {
    AlertMessage.Subject(id: id, title: String(title.prefix(Self.longestTitle)), value: value)
  }

  // MARK: - Figures of a time

  private func events(_ count: AlertWhen.Count, in database: any SQLDatabase) throws -> Int64 {
    try database.row(
      """
      SELECT coalesce(sum(count), 0) FROM alert_minutes WHERE app = ?1 AND minute > ?2 AND (?3 IS NULL OR issue = ?3)
      """,
      [.text(rule.app), .integer(minute(before: count)), .optional(count.issue.flatMap { Int64($0) })]
    ) { $0.integer(0) } ?? 0
  }

  private func users(_ count: AlertWhen.Count, in database: any SQLDatabase) throws -> Int64 {
    let first = try database.row(
      """
      SELECT min(first) FROM alert_minutes WHERE app = ?1 AND minute > ?2 AND (?3 IS NULL OR issue = ?3)
      """, [.text(rule.app), .integer(minute(before: count)), .optional(count.issue.flatMap { Int64($0) })]
    ) { $0.optionalInteger(0) }
    guard let first = first ?? nil else { return 0 }
    return try database.row(
      """
      SELECT count(DISTINCT c.user) FROM crashes c WHERE c.id >= ?1 AND c.app = ?2 AND c.user <> '' AND (?3 IS NULL
      OR c.group_id IN (SELECT id FROM crash_groups WHERE app = ?2 AND (id = ?3 OR merged_into = ?3)))
      """, [.integer(first), .text(rule.app), .optional(count.issue.flatMap { Int64($0) })]
    ) { $0.integer(0) } ?? 0
  }

  private func minute(before count: AlertWhen.Count) -> Int64 { Int64(now / 60) - count.minutes }

  /// A figure over its limit; once it was, it counts so for the whole time that the rule is about.
  private func figure(_ figure: Int64, _ count: AlertWhen.Count, in database: any SQLDatabase) throws -> Changes {
    let isOver = figure > count.over
    let states = try states(in: database)
    var changes = Changes()
    let own = subject("", "", String(figure))
    if let entered = states[""]?.entered {
      if isOver {
        changes.held = [own]
      } else if now - entered >= Double(count.minutes) * 60 {
        changes.left = [own]
      }
    } else if isOver {
      changes.entered = [own]
    }
    return changes
  }

  private struct State {
    var title: String
    var entered: Double
  }

  private func states(in database: any SQLDatabase) throws -> [String: State] {
    let rows = try database.rows(
      "SELECT subject, title, entered FROM alert_states WHERE app = ? AND rule = ? LIMIT 10000",
      [.text(rule.app), .text(rule.id)]
    ) { ($0.text(0), State(title: $0.text(1), entered: $0.real(2))) }
    return Dictionary(rows) { $1 }
  }

  // MARK: - Health of releases

  private func difference(_ current: [AlertMessage.Subject], in database: any SQLDatabase) throws -> Changes {
    let states = try states(in: database)
    let ids = Set(current.map(\.id))
    return Changes(
      entered: current.filter { states[$0.id] == nil },
      left: states.filter { !ids.contains($0.key) }.sorted { $0.key < $1.key }.map { subject($0.key, $0.value.title) },
      held: current.filter { states[$0.id] != nil })
  }

  /// The app, or the release of the rule, where fewer stay without a crash than it says.
  private func crashFree(_ free: AlertWhen.CrashFree, in database: any SQLDatabase) throws -> [AlertMessage.Subject] {
    let to = Int64(now) + 1
    let query = HealthQuery(
      app: rule.app, from: to - (free.hours ?? 24) * 3600, to: to, release: free.release,
      environment: free.environment)
    var (sessions, crashed, users, crashedUsers): (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
    for health in try HealthStore.health(query, at: now, in: database) {
      sessions += health.counts.sessions
      crashed += health.counts.crashed
      users += health.users
      crashedUsers += health.crashedUsers
    }
    guard sessions >= free.least ?? 100 else { return [] }
    let share =
      free.of == "users"
      ? SessionCounts.crashFree(crashedUsers, of: users) : SessionCounts.crashFree(crashed, of: sessions)
    guard let share, share < free.share else { return [] }
    let hundredths = Int64((share * 10_000).rounded(.down))
    let text = "\(hundredths / 100).\((hundredths % 100).padded(to: 2))%"
    return [subject("", free.release ?? "", text)]
  }

  private func adopted(_ adoption: AlertWhen.Adoption, in database: any SQLDatabase) throws -> [AlertMessage.Subject] {
    let to = Int64(now) + 1
    let query = HealthQuery(
      app: rule.app, from: to - Self.day, to: to, release: adoption.release, environment: adoption.environment)
    return try HealthStore.health(query, at: now, in: database).compactMap { health in
      guard let share = health.adoption, share > adoption.over else { return nil }
      let name = health.environment.isEmpty ? health.release : "\(health.release) (\(health.environment))"
      return subject(name, name, "\(Int64((share * 100).rounded()))%")
    }
  }

  // MARK: - Quotas

  /// The quotas of the app and of its tokens of which more is used than the rule says.
  private func used(_ quota: AlertWhen.Quota, in database: any SQLDatabase) throws -> [AlertMessage.Subject] {
    let tokens = try database.rows(
      "SELECT id, name FROM tokens WHERE app = ? ORDER BY id", [.text(rule.app)]
    ) { (subject: QuotaMeter.subject(token: $0.text(0)), name: $0.text(1)) }
    return ([(subject: QuotaMeter.subject(app: rule.app), name: "")] + tokens).flatMap { holder in
      quotas.shares(of: holder.subject, at: now).compactMap { period, share in
        guard share > quota.over, quota.period ?? period.rawValue == period.rawValue else { return nil }
        let title = holder.name.isEmpty ? period.rawValue : "\(holder.name) (\(period.rawValue))"
        let percent = Int((min(share, 1_000_000) * 100).rounded(.down))
        return subject("\(holder.subject) \(period.rawValue)", title, "\(percent)%")
      }
    }
  }
}
