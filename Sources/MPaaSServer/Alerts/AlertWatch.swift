import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Looks at what rules are about, and has messages sent where a condition became true, or is no longer.
struct AlertWatch: Sendable {
  private let services: ServerServices
  /// Crashes that are counted in one step.
  private static let step = 20_000
  /// Things that a message names.
  private static let mostNamed = 10
  /// Seconds after which it is said again that an app's condition is still true.
  private static let reminder = 86_400.0

  init(_ services: ServerServices) { self.services = services }

  /// Looks once at all rules.
  func look() async throws {
    let now = services.now()
    let rules = try await services.store.read { try AlertStore.rules(app: nil, in: $0) }.filter(\.isEnabled)
    if !rules.isEmpty {
      try await count()
      for rule in rules {
        let found = try await services.store.read { try AlertMeasure(rule, services.quotas, now: now).changes(in: $0) }
        if !found.isEmpty { try await note(found, of: rule, at: now) }
      }
    }
    guard try await services.store.read({ try AlertStore.isToTidy(at: now, in: $0) }) else { return }
    try await services.store.write { database in
      try AlertStore.digest(at: now, in: database)
      try AlertStore.tidy(at: now, in: database)
    }
  }

  /// Counts the crashes that came since the last time, by issue and minute.
  private func count() async throws {
    while true {
      let isMore = try await services.store.write { database -> Bool in
        guard
          let cursor = try database.row("SELECT crash FROM alert_cursor WHERE id = 1", [], { $0.integer(0) }),
          let last = try database.row("SELECT coalesce(max(id), 0) FROM crashes", [], { $0.integer(0) })
        else { return false }
        // The newest crashes may have been removed, and their ids are given again.
        let from = min(cursor, last)
        let to = min(last, from + Int64(Self.step))
        if to > from {
          try database.run(
            """
            INSERT INTO alert_minutes (app, issue, minute, count, first)
            SELECT c.app, coalesce(g.merged_into, g.id), CAST(floor(c.received / 60) AS INTEGER), count(*), min(c.id)
            FROM crashes c JOIN crash_groups g ON g.id = c.group_id WHERE c.id > ?1 AND c.id <= ?2 GROUP BY 1, 2, 3
            ON CONFLICT (app, issue, minute) DO UPDATE SET count = alert_minutes.count + excluded.count,
            first = CASE WHEN alert_minutes.first < excluded.first THEN alert_minutes.first ELSE excluded.first END
            """, [.integer(from), .integer(to)])
        }
        try database.run("UPDATE alert_cursor SET crash = ? WHERE id = 1", [.integer(to)])
        return to < last
      }
      if !isMore { return }
    }
  }

  /// Keeps what a rule is true of now, and makes the messages, in one transaction: none is made twice.
  private func note(_ changes: AlertMeasure.Changes, of rule: AlertRule, at now: Double) async throws {
    let url = services.address.url
    try await services.store.write { database in
      // The rule may have gone or changed meanwhile.
      guard try AlertStore.rule(rule.id, app: rule.app, in: database) == rule else { return }
      let key: [SQLValue] = [.text(rule.app), .text(rule.id)]
      var entered: [AlertMessage.Subject] = []
      for subject in changes.entered {
        try database.run(
          """
          INSERT INTO alert_states (app, rule, subject, title, entered, reminded) VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT DO NOTHING
          """, key + [.text(subject.id), .text(subject.title), .real(now), .real(now)])
        if database.changes > 0 { entered.append(subject) }
      }
      var left: [AlertMessage.Subject] = []
      for subject in changes.left {
        try database.run(
          "DELETE FROM alert_states WHERE app = ? AND rule = ? AND subject = ?", key + [.text(subject.id)])
        if database.changes > 0 { left.append(subject) }
      }
      var due: [AlertMessage.Subject] = []
      for subject in changes.held {
        try database.run(
          "UPDATE alert_states SET reminded = ? WHERE app = ? AND rule = ? AND subject = ? AND reminded <= ?",
          [.real(now)] + key + [.text(subject.id), .real(now - Self.reminder)])
        if database.changes > 0 { due.append(subject) }
      }
      let appName = try AlertStore.appName(rule.app, in: database)
      let kinds: [(AlertMessage.Kind, [AlertMessage.Subject])] = [
        (.entered, entered), (.left, left), (.reminder, due),
      ]
      for (kind, subjects) in kinds where !subjects.isEmpty {
        let message = AlertMessage(
          kind: kind, time: now, rule: rule.id, name: rule.name, app: rule.app, appName: appName,
          condition: rule.when.word ?? "", subjects: Self.named(subjects, rule, url), count: Int64(subjects.count))
        try AlertStore.send(message, by: rule, at: now, in: database)
      }
    }
  }

  private static func named(
    _ subjects: [AlertMessage.Subject], _ rule: AlertRule, _ url: String
  ) -> [AlertMessage.Subject] {
    subjects.prefix(mostNamed).map { subject in
      var subject = subject
      switch rule.when.word {
      case "new", "regressed": subject.url = "\(url)/issues/\(subject.id)"
      case "count", "users": subject.url = rule.when.count?.issue.map { "\(url)/issues/\($0)" } ?? "\(url)/issues"
      case "quota": subject.url = nil
      default: subject.url = "\(url)/releases"
      }
      return subject
    }
  }
}
