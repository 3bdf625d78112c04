import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

extension AlertStore {
  /// Messages that a receiver gets in an hour; more wait for a digest.
  static let mostInHour: Int64 = 60
  /// Attempts after which a message counts as failed, and the pauses between them.
  static let mostAttempts: Int64 = 12
  private static let firstPause = 5.0
  private static let longestPause = 3600.0
  /// Seconds after which an attempt of which nothing was heard is made again.
  private static let lease = 150.0
  /// Seconds that deliveries are kept.
  private static let memory = 30.0 * 86_400
  /// Things that a digest names.
  private static let mostInDigest = 50

  /// A message that is to be sent now.
  struct Due: Sendable {
    var id: String
    var attempts: Int64
    var target: AlertTarget
    var message: AlertMessage
  }

  /// Has each receiver of a rule get a message; those that have had many get it with the next digest.
  static func send(_ message: AlertMessage, by rule: AlertRule, at now: Double, in database: any SQLDatabase) throws {
    for target in rule.to { try send(message, to: target, rule, at: now, in: database) }
  }

  static func send(
    _ message: AlertMessage, to target: AlertTarget, _ rule: AlertRule, at now: Double, in database: any SQLDatabase
  ) throws {
    let destination = target.webhook ?? target.mail ?? ""
    let isLimited = message.kind != .test && message.kind != .digest
    let isHeld = try isLimited && sent(to: destination, since: now - 3600, in: database) >= mostInHour
    try database.run(
      """
      INSERT INTO alert_deliveries (id, app, rule, kind, destination, receiver, message, state, attempts, next, reason,
      created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, '', ?)
      """,
      [
        .text(Access.randomBytes(12).hexadecimal), .text(rule.app), .text(rule.id), .text(message.kind.rawValue),
        .text(destination), .text(StoredJSON.text(target)), .text(StoredJSON.text(message)),
        .text((isHeld ? AlertDelivery.State.held : .waiting).rawValue), isHeld ? .null : .real(now), .real(now),
      ])
  }

  private static func sent(to destination: String, since: Double, in database: any SQLDatabase) throws -> Int64 {
    try database.row(
      """
      SELECT count(*) FROM alert_deliveries WHERE destination = ? AND state IN ('waiting', 'sent', 'failed')
      AND created > ? AND kind <> 'test'
      """, [.text(destination), .real(since)]
    ) { $0.integer(0) } ?? 0
  }

  /// Makes one message of those that were held back, for each receiver that may have one again.
  static func digest(at now: Double, in database: any SQLDatabase) throws {
    let destinations = try database.rows(
      "SELECT DISTINCT destination FROM alert_deliveries WHERE state = 'held' LIMIT 100"
    ) { $0.text(0) }
    for destination in destinations where try sent(to: destination, since: now - 3600, in: database) < mostInHour {
      let held = try database.rows(
        """
        SELECT app, rule, receiver, message FROM alert_deliveries WHERE destination = ? AND state = 'held'
        ORDER BY created DESC, id LIMIT 1000
        """, [.text(destination)]
      ) { (app: $0.text(0), rule: $0.text(1), receiver: $0.text(2), message: $0.text(3)) }
      let messages = held.compactMap { StoredJSON.value($0.message, as: AlertMessage.self) }
      try database.run(
        "UPDATE alert_deliveries SET state = 'digested' WHERE destination = ? AND state = 'held'", [.text(destination)])
      guard let first = held.first, let last = messages.first,
        let target: AlertTarget = StoredJSON.value(first.receiver),
        let rule = try rule(first.rule, app: first.app, in: database)
      else { continue }
      let subjects = messages.flatMap { message in
        message.subjects.isEmpty
          ? [AlertMessage.Subject(id: "", title: message.name)]
          : message.subjects.map { subject in
            var subject = subject
            subject.title = message.name + (subject.title.isEmpty ? "" : ": " + subject.title)
            return subject
          }
      }
      let message = AlertMessage(
        kind: .digest, time: now, rule: rule.id, name: rule.name, app: rule.app, appName: last.appName,
        condition: last.condition, subjects: Array(subjects.prefix(mostInDigest)), count: Int64(subjects.count),
        messages: Int64(messages.count))
      try send(message, to: target, rule, at: now, in: database)
    }
  }

  /// Takes messages whose time has come, each for one sender.
  static func claim(_ most: Int, at now: Double, in database: any SQLDatabase) throws -> [Due] {
    let found = try database.rows(
      """
      SELECT id, attempts, receiver, message FROM alert_deliveries WHERE next IS NOT NULL AND next <= ?
      ORDER BY next, id LIMIT ?
      """, [.real(now), .integer(most)]
    ) { (id: $0.text(0), attempts: $0.integer(1), receiver: $0.text(2), message: $0.text(3)) }
    return try found.compactMap { row in
      try database.run(
        "UPDATE alert_deliveries SET attempts = attempts + 1, next = ? WHERE id = ?",
        [.real(now + lease), .text(row.id)])
      guard let target: AlertTarget = StoredJSON.value(row.receiver),
        let message: AlertMessage = StoredJSON.value(row.message)
      else { return nil }
      return Due(id: row.id, attempts: row.attempts + 1, target: target, message: message)
    }
  }

  /// The outcome of an attempt.
  struct Outcome: Sendable, Equatable {
    var isSent = false
    /// Tells whether the receiver refuses it for good.
    var isFinal = false
    var status: Int64?
    var reason = ""
    /// Seconds that the receiver wants not to be asked.
    var pause: Double?
  }

  /// Notes what came of an attempt: it is over, or made again after a pause that doubles each time.
  static func note(_ outcome: Outcome, of due: Due, at now: Double, in database: any SQLDatabase) throws {
    let isOver = outcome.isSent || outcome.isFinal || due.attempts >= mostAttempts
    let doubled = min(firstPause * Double(1 << min(due.attempts - 1, 20)), longestPause)
    let pause = min(max(doubled, outcome.pause ?? 0), 24 * 3600)
    let state: AlertDelivery.State = outcome.isSent ? .sent : isOver ? .failed : .waiting
    try database.run(
      "UPDATE alert_deliveries SET state = ?, next = ?, status = ?, reason = ? WHERE id = ?",
      [
        .text(state.rawValue), isOver ? .null : .real(now + pause), .optional(outcome.status),
        .text(String(outcome.reason.prefix(300))), .text(due.id),
      ])
  }

  /// Deliveries of a rule, the newest first.
  static func deliveries(_ rule: AlertRule, limit: Int, in database: any SQLDatabase) throws -> [AlertDelivery] {
    try database.rows(
      """
      SELECT id, rule, kind, destination, state, attempts, status, reason, created, next FROM alert_deliveries
      WHERE app = ? AND rule = ? ORDER BY created DESC, id LIMIT ?
      """, [.text(rule.app), .text(rule.id), .integer(limit)]
    ) { row in
      AlertDelivery(
        id: row.text(0), rule: row.text(1), kind: AlertMessage.Kind(rawValue: row.text(2)) ?? .test,
        target: shown(row.text(3)), state: AlertDelivery.State(rawValue: row.text(4)) ?? .failed,
        attempts: row.integer(5), status: row.optionalInteger(6), reason: row.text(7), created: row.real(8),
        next: row.isNull(9) ? nil : row.real(9))
    }
  }

  /// The host of a webhook, whose path is as good as a password, or the mailbox.
  static func shown(_ destination: String) -> String {
    guard let mark = destination.firstPlace(of: "://") else { return destination }
    return String(destination[mark.upperBound...].prefix { $0 != "/" && $0 != "?" })
  }

  /// Tells whether messages are held back, or something is long over.
  static func isToTidy(at now: Double, in database: any SQLDatabase) throws -> Bool {
    try database.row(
      """
      SELECT EXISTS (SELECT 1 FROM alert_deliveries WHERE state = 'held')
      OR EXISTS (SELECT 1 FROM alert_deliveries WHERE created < ?1)
      OR EXISTS (SELECT 1 FROM alert_minutes WHERE minute < ?2)
      """, [.real(now - memory), .integer(oldestMinute(now) - 60)]
    ) { $0.integer(0) == 1 } ?? false
  }

  private static func oldestMinute(_ now: Double) -> Int64 { Int64(now / 60) - 2 * 1440 }

  /// Removes deliveries and counts that are long over.
  static func tidy(at now: Double, in database: any SQLDatabase) throws {
    try database.run("DELETE FROM alert_deliveries WHERE created < ?", [.real(now - memory)])
    try database.run("DELETE FROM alert_minutes WHERE minute < ?", [.integer(oldestMinute(now))])
  }
}
