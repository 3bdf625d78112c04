import MPaaSDatabase
import MPaaSProtocol
import MPaaSPush

/// The end of a claim.
struct DeliveryOutcome: Sendable {
  let installation: Int64
  let token: String
  let outcome: PushOutcome
}

extension CampaignStore {
  /// The pauses after setbacks: from half a second to five minutes, unless the provider names a longer one.
  private static var pauses: PushBackoff {
    var pauses = PushBackoff()
    pauses.longest = 300
    return pauses
  }

  /// Writes outcomes down: those that were asked for with what became of them; the others wait again.
  ///
  /// - Returns: Whether the campaign is to stop for now.
  static func record(
    _ number: Int64, _ outcomes: [DeliveryOutcome], jitter: Double, at now: Double, in database: any SQLDatabase
  ) throws -> Bool {
    guard let stored = try find(number, in: database) else { return true }
    var ended: [PushDeliveryState: Int] = [:]
    var (setback, stop): (CampaignVerdict?, String?) = (nil, nil)
    for outcome in outcomes {
      let verdict = CampaignVerdict(outcome.outcome)
      switch verdict {
      case .ended(let state, let status, let reason):
        if try end(
          number, outcome.installation, state, from: .claimed, (status, reason), at: now, in: database)
        {
          ended[state, default: 0] += 1
        }
        try endToken(outcome, stored.entry, in: database)
        continue
      case .returned, .busy: break
      case .setback: setback = verdict.longer(than: setback)
      case .stopped(let reason): stop = reason
      }
      let state = try giveBack(number, outcome.installation, verdict, jitter: jitter, at: now, in: database)
      ended[state, default: 0] += 1
    }
    for (state, count) in ended { try move(number, count, from: .claimed, to: state, in: database) }
    if let stop, stored.entry.state == .running {
      try set(number, .paused, problem: stop, in: database)
    } else if case .setback(let reason, let after)? = setback {
      try setBack(number, reason, retryAfter: after, jitter: jitter, at: now, in: database)
    } else if ended[.accepted] != nil, stored.setbacks > 0 {
      try database.run(
        "UPDATE push_campaigns SET setbacks = 0, problem = NULL WHERE number = ? AND state = 'running'",
        [.integer(number)])
    }
    return stop != nil || setback != nil
  }

  /// Has a campaign wait that the provider could not take anything of.
  static func setBack(
    _ number: Int64, _ reason: String, retryAfter: Double?, jitter: Double, at now: Double,
    in database: any SQLDatabase
  ) throws {
    let setbacks = try find(number, in: database)?.setbacks ?? 0
    let seconds = pauses.wait(after: setbacks + 1, retryAfter: retryAfter, jitter: jitter)
    try database.run(
      """
      UPDATE push_campaigns SET resumes = ?, setbacks = setbacks + 1, problem = ? WHERE number = ? AND state = 'running'
      """, [.real(now + seconds), .text(reason), .integer(number)])
  }

  /// Has an installation wait again that was certainly not asked for.
  ///
  /// One that the provider does not take for itself, though it takes others, ends after some times.
  private static func giveBack(
    _ number: Int64, _ installation: Int64, _ verdict: CampaignVerdict, jitter: Double, at now: Double,
    in database: any SQLDatabase
  ) throws -> PushDeliveryState {
    var due = now
    if case .busy(let after) = verdict {
      let tries = try database.row(
        "SELECT tries FROM push_deliveries WHERE campaign = ? AND installation = ?",
        [.integer(number), .integer(installation)]
      ) { Int(clamping: $0.integer(0)) }
      guard tries ?? 0 < CampaignVerdict.mostTries - 1 else {
        let reason = (429, APNsReason.tooManyRequests.rawValue)
        try end(number, installation, .failed, from: .claimed, reason, at: now, in: database)
        return .failed
      }
      due += pauses.wait(after: (tries ?? 0) + 1, retryAfter: after, jitter: jitter)
    }
    try database.run(
      """
      UPDATE push_deliveries SET state = 'waiting', token = NULL, due = ?, tries = tries + ?, updated = ?
      WHERE campaign = ? AND installation = ? AND state = 'claimed'
      """,
      [
        .real(due), .flag(due > now), .real(now), .integer(number), .integer(installation),
      ])
    return .waiting
  }

  /// Takes a token out that a refusal ends.
  private static func endToken(
    _ outcome: DeliveryOutcome, _ campaign: PushCampaignEntry, in database: any SQLDatabase
  ) throws {
    guard case .failed(let failure) = outcome.outcome, failure.endsToken(registeredAt: 0) else { return }
    let refusal = PushRefusal(
      token: outcome.token, status: failure.status, reason: failure.reason, timestamp: failure.timestamp)
    _ = try PushStore.end(
      PushRefusals(environment: campaign.environment, outcomes: [refusal]), app: campaign.app, in: database)
  }

  /// Ends a campaign that nothing is left of.
  ///
  /// - Returns: Whether it has ended.
  static func finish(_ number: Int64, at now: Double, in database: any SQLDatabase) throws -> Bool {
    try database.run(
      """
      UPDATE push_campaigns SET state = 'done', problem = NULL, ended = ?
      WHERE number = ? AND state = 'running' AND waiting = 0 AND claimed = 0
      """, [.real(now), .integer(number)])
    return database.changes > 0
  }

  /// Has a campaign rest until a time at which quiet hours end somewhere.
  static func rest(_ number: Int64, until time: Double, in database: any SQLDatabase) throws {
    try database.run(
      "UPDATE push_campaigns SET resumes = ? WHERE number = ? AND state = 'running'", [.real(time), .integer(number)])
  }
}

extension CampaignVerdict {
  /// The one of two setbacks with the longer pause.
  fileprivate func longer(than other: CampaignVerdict?) -> CampaignVerdict {
    guard case .setback(_, let own) = self, case .setback(_, let others)? = other else { return self }
    return own ?? 0 >= others ?? 0 ? self : other ?? self
  }
}
