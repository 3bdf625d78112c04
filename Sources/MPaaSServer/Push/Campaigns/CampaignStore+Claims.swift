import MPaaSDatabase
import MPaaSProtocol
import MPaaSPush
import MPaaSTimeZones

/// An installation that is written down to be asked for.
struct ClaimedDelivery: Sendable {
  let installation: Int64
  let token: String
  let locale: String?
}

/// The installations that a campaign may be sent to now.
struct DeliveryClaim: Sendable {
  var state = PushCampaignState.paused
  var resumes = 0.0
  var deliveries: [ClaimedDelivery] = []
  /// The time from which more may be; nil where none waits.
  var next: Double?
}

extension CampaignStore {
  /// The conditions under which an installation may be asked for.
  struct ClaimRules: Sendable {
    let quiet: QuietHours?
    let zones: TimeZoneTable
    let expires: Double?

    /// The time at which quiet hours of an installation end; nil where there are none now.
    func quietEnd(at now: Double, timezone: String?) -> Double? {
      guard let quiet else { return nil }
      let zone = timezone.flatMap(zones.rules) ?? zones.rules(quiet.zone) ?? TimeZoneRules(fixed: 0)
      return quiet.end(at: now, zone)
    }
  }

  /// Writes down that some installations are being asked for; only then may they be.
  ///
  /// Where that is not answered with an outcome before the server ends, they are unknown at its next start.
  static func claim(
    _ number: Int64, _ limit: Int, _ rules: ClaimRules, at now: Double, in database: any SQLDatabase
  ) throws -> DeliveryClaim {
    var claim = DeliveryClaim()
    guard let stored = try find(number, in: database) else { return claim }
    claim.state = stored.entry.state
    claim.resumes = stored.entry.resumes ?? 0
    guard claim.state == .running, claim.resumes <= now else { return claim }
    let isOver = rules.expires.map { $0 <= now } ?? false
    let due = try database.rows(
      """
      SELECT d.installation, i.token, i.locale, i.timezone, d.due FROM push_deliveries d
      LEFT JOIN push_installations i ON i.number = d.installation AND i.environment = ?4
      WHERE d.campaign = ?1 AND d.state = 'waiting' AND (d.due <= ?2 OR ?5 = 1) ORDER BY d.due, d.installation LIMIT ?3
      """,
      [
        .integer(number), .real(now), .integer(isOver ? 1000 : max(limit, 0)),
        .text(stored.entry.environment.rawValue), .flag(isOver),
      ], DueDelivery.init)
    var failed = 0
    for delivery in due {
      let step = isOver ? Step.fail("Expired") : try self.step(delivery, number, rules, at: now, in: database)
      switch step {
      case .fail(let reason):
        failed += 1
        try end(number, delivery.installation, .failed, from: .waiting, (0, reason), at: now, in: database)
      case .wait(let time):
        try database.run(
          "UPDATE push_deliveries SET due = ? WHERE campaign = ? AND installation = ?",
          [.real(time), .integer(number), .integer(delivery.installation)])
      case .claim(let token):
        try database.run(
          """
          UPDATE push_deliveries SET state = 'claimed', token = ?, updated = ? WHERE campaign = ? AND installation = ?
          """, [.text(token), .real(now), .integer(number), .integer(delivery.installation)])
        claim.deliveries.append(
          ClaimedDelivery(installation: delivery.installation, token: token, locale: delivery.locale))
      }
    }
    try move(number, failed, from: .waiting, to: .failed, in: database)
    try move(number, claim.deliveries.count, from: .waiting, to: .claimed, in: database)
    claim.next = try database.row(
      "SELECT due FROM push_deliveries WHERE campaign = ? AND state = 'waiting' ORDER BY due LIMIT 1",
      [.integer(number)]
    ) { $0.real(0) }
    return claim
  }

  private enum Step {
    case claim(token: String)
    case wait(until: Double)
    case fail(String)
  }

  private struct DueDelivery {
    let installation: Int64
    /// Nil where the installation is no more.
    let token: String?
    let locale: String?
    let timezone: String?

    init(_ row: SQLRow) {
      (installation, token) = (row.integer(0), row.optionalText(1))
      (locale, timezone) = (row.optionalText(2), row.optionalText(3))
    }
  }

  private static func step(
    _ delivery: DueDelivery, _ campaign: Int64, _ rules: ClaimRules, at now: Double, in database: any SQLDatabase
  ) throws -> Step {
    guard let token = delivery.token else { return .fail("Removed") }
    if let end = rules.quietEnd(at: now, timezone: delivery.timezone) { return .wait(until: end) }
    // A token may have moved here from an installation that was asked for.
    let isTaken = try database.row(
      "SELECT 1 FROM push_deliveries WHERE campaign = ? AND token = ?", [.integer(campaign), .text(token)]
    ) { _ in true }
    return isTaken == true ? .fail("SameToken") : .claim(token: token)
  }

  /// Writes the outcome of a delivery down; the campaign's numbers are changed by `move`.
  ///
  /// - Returns: Whether it was in the state that it comes from.
  @discardableResult
  static func end(
    _ campaign: Int64, _ installation: Int64, _ state: PushDeliveryState, from old: PushDeliveryState,
    _ reason: (status: Int?, text: String?), at now: Double, in database: any SQLDatabase
  ) throws -> Bool {
    try database.run(
      """
      UPDATE push_deliveries SET state = ?, status = ?, reason = ?, updated = ?
      WHERE campaign = ? AND installation = ? AND state = ?
      """,
      [
        .text(state.rawValue), .optional(reason.status.map { Int64($0) }), .optional(reason.text), .real(now),
        .integer(campaign), .integer(installation), .text(old.rawValue),
      ])
    return database.changes > 0
  }
}
