import MPaaSDatabase
import MPaaSProtocol

extension CampaignStore {
  /// Seconds for which the outcomes of a campaign that has ended are kept one by one.
  static let memory = 90.0 * 86_400
  /// The most of them that are forgotten at a time.
  private static let mostForgotten = 5000

  /// Counts what changed from one state to another.
  static func move(
    _ campaign: Int64, _ count: Int, from old: PushDeliveryState, to new: PushDeliveryState,
    in database: any SQLDatabase
  ) throws {
    guard count > 0, old != new else { return }
    try database.run(
      """
      UPDATE push_campaigns SET \(old.rawValue) = \(old.rawValue) - ?1, \(new.rawValue) = \(new.rawValue) + ?1
      WHERE number = ?2
      """, [.integer(count), .integer(campaign)])
  }

  /// Notes at a start that the outcomes of what a killed server had claimed are not known; these are never repeated.
  ///
  /// - Parameter only: The campaign that it is about; nil for all.
  /// - Returns: Their number.
  static func recover(_ only: Int64? = nil, at now: Double, in database: any SQLDatabase) throws -> Int {
    let claimed = try database.rows(
      "SELECT number, claimed FROM push_campaigns WHERE claimed > 0 AND (?1 IS NULL OR number = ?1)",
      [.optional(only)]
    ) { (campaign: $0.integer(0), count: Int($0.integer(1))) }
    for (campaign, count) in claimed {
      try database.run(
        """
        UPDATE push_deliveries SET state = 'unknown', reason = 'Interrupted', updated = ?
        WHERE campaign = ? AND state = 'claimed'
        """, [.real(now), .integer(campaign)])
      try move(campaign, count, from: .claimed, to: .unknown, in: database)
    }
    return claimed.reduce(0) { $0 + $1.count }
  }

  /// Outcomes in the order of installations.
  ///
  /// - Parameter after: The installation's number behind which they begin.
  static func deliveries(
    _ campaign: Int64, _ state: PushDeliveryState?, after: Int64?, limit: Int, in database: any SQLDatabase
  ) throws -> PushDeliveryPage {
    let found = try database.rows(
      """
      SELECT installation, name, state, status, reason, updated FROM push_deliveries
      WHERE campaign = ?1 AND (?2 IS NULL OR state = ?2) AND installation > ?3 ORDER BY installation LIMIT ?4
      """,
      [
        .integer(campaign), .optional(state?.rawValue), .integer(after ?? Int64.min), .integer(limit + 1),
      ]
    ) { row in
      let delivery = PushDelivery(
        installation: row.text(1), state: PushDeliveryState(rawValue: row.text(2)) ?? .unknown,
        status: row.optionalInteger(3).map { Int(clamping: $0) }, reason: row.optionalText(4), updated: row.real(5))
      return (row.integer(0), delivery)
    }
    let told = found.prefix(limit)
    return PushDeliveryPage(
      deliveries: told.map(\.1), cursor: found.count > told.count ? told.last.map { String($0.0) } : nil)
  }

  /// The reasons of what failed or is not known, the most frequent first.
  static func reasons(
    _ campaign: Int64, in database: any SQLDatabase
  ) throws -> [(state: PushDeliveryState, reason: String, count: Int64)] {
    try database.rows(
      """
      SELECT state, coalesce(reason, ''), count(*) FROM push_deliveries
      WHERE campaign = ? AND state IN ('failed', 'unknown') GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 50
      """, [.integer(campaign)]
    ) { (PushDeliveryState(rawValue: $0.text(0)) ?? .unknown, $0.text(1), $0.integer(2)) }
  }

  /// Forgets the outcomes of campaigns that ended long ago; their numbers stay.
  static func forget(at now: Double, in database: any SQLDatabase) throws {
    let old = try database.row(
      """
      SELECT number FROM push_campaigns c WHERE ended < ?
      AND EXISTS (SELECT 1 FROM push_deliveries d WHERE d.campaign = c.number) LIMIT 1
      """, [.real(now - memory)]
    ) { $0.integer(0) }
    guard let old else { return }
    try database.run(
      """
      DELETE FROM push_deliveries WHERE campaign = ?1 AND installation IN
        (SELECT installation FROM push_deliveries WHERE campaign = ?1 LIMIT ?2)
      """, [.integer(old), .integer(mostForgotten)])
  }
}
