import MPaaSProtocol
import MPaaSPush
import MPaaSPushServing
import MPaaSSupport
import MPaaSTimeZones
import Synchronization

/// The work on one campaign from where it stands: its audience is written down, then each installation asked for.
struct CampaignRun: Sendable {
  let services: ServerServices
  let keys: CampaignKeys
  let zones: TimeZoneTable
  let number: Int64
  let inbox = CampaignInbox()
  /// Tells whether the server ends.
  let isEnding: @Sendable () -> Bool

  /// Installations that are looked at, or written down, in one step.
  static let part = 500
  /// The most that are claimed and have no outcome, where nothing limits the rate.
  private static let mostOpen = 1000
  /// Seconds that outcomes are waited for when the server ends.
  private static let grace = 5.0
  /// Seconds of quiet from which on a connection is not kept.
  private static let longRest = 60.0

  /// Works until the campaign has ended, stands still, or waits for longer.
  func run() async throws {
    guard let stored = try await services.store.read({ [number] in try CampaignStore.find(number, in: $0) }) else {
      return
    }
    // Of a run that could not write down what it knew.
    if stored.entry.counts.claimed > 0 {
      let now = services.now()
      _ = try await services.store.write { [number] in try CampaignStore.recover(number, at: now, in: $0) }
    }
    let campaign: PushCampaign
    let sender: PushSender
    do {
      let text = Array(stored.definition.utf8)
      campaign = try text.withUnsafeBytes { try PushCampaign($0) }
      if !stored.isPrepared {
        guard try await enlist(campaign, stored) else { return }
      }
      guard let key = keys.key(for: campaign.topic, app: stored.entry.app) else {
        throw ServerError(.pushNoKey, ["topic": campaign.topic])
      }
      sender = try await Self.sender(key, campaign, now: services.now)
    } catch let error as PushError where error.code.exit == .unreachable {
      return try await setBack("Unreachable")
    } catch let error as any DiagnosticConvertible where error is PushError || error is ServerError {
      return try await stop(error.diagnostic.id.name)
    }
    try await send(campaign, sender)
  }

  private func stop(_ problem: String) async throws {
    let number = number
    try await services.store.write { database in
      guard try CampaignStore.find(number, in: database)?.entry.state.isFinal == false else { return }
      try CampaignStore.set(number, .paused, problem: problem, in: database)
    }
  }

  private func setBack(_ reason: String) async throws {
    let (number, now) = (number, services.now())
    _ = try await services.store.write {
      try CampaignStore.setBack(number, reason, retryAfter: nil, jitter: Double.random(in: 0...1), at: now, in: $0)
    }
  }

  // MARK: - The audience

  /// Writes the audience down, part by part.
  ///
  /// - Returns: Whether all of it is there.
  private func enlist(_ campaign: PushCampaign, _ stored: CampaignStore.Stored) async throws -> Bool {
    let audience = try CampaignAudience(campaign.audience)
    let (number, app) = (number, stored.entry.app)
    guard try await services.store.write({ try CampaignStore.begin(number, in: $0) }) else { return false }
    var scanned = stored.scanned
    while !isEnding() {
      let before = scanned
      let found = try await services.store.read {
        try CampaignStore.installations(
          app: app, topic: campaign.topic, campaign.environment, after: before, limit: Self.part, in: $0)
      }
      let chosen = found.filter(audience.contains)
      let (after, isLast) = (found.last?.number ?? before, found.count < Self.part)
      let now = services.now()
      let isWritten = try await services.store.write {
        try CampaignStore.enlist(number, chosen, scanned: (before, after), isLast: isLast, at: now, in: $0)
      }
      guard isWritten else { return false }
      if isLast { return true }
      scanned = after
    }
    return false
  }

  // MARK: - Sending

  private static func sender(
    _ key: CampaignKeys.Key, _ campaign: PushCampaign, now: @escaping @Sendable () -> Double
  ) async throws(PushError) -> PushSender {
    var options = PushSender.Options()
    options.leavesRefusals = true
    options.rate = campaign.rate
    options.patience = key.patience
    // For a credential that has expired; nothing else is tried again here.
    options.backoff.attempts = 3
    let address = campaign.environment == .sandbox ? key.sandbox : key.production
    switch key.sender {
    case .apns(let tokens):
      let provider = try APNsProvider(campaign.notifications(), tokens: tokens, now: now)
      return PushSender(provider, to: address, trust: key.trust, options: options)
    case .fcm(let access):
      try await access.renew()
      let provider = try FCMProvider(campaign.messages(), access: access, now: now)
      return PushSender(provider, to: address, trust: key.trust, options: options)
    }
  }

  private func send(_ campaign: PushCampaign, _ sender: PushSender) async throws {
    let flow = sender.flow(each: inbox.put)
    let inbox = inbox
    let flowing = Task {
      _ = await flow.run()
      inbox.end()
    }
    let rules = CampaignStore.ClaimRules(quiet: campaign.quiet, zones: zones, expires: campaign.expires)
    var state = Progress(campaign)
    do {
      while try await step(&state, flow, rules, campaign.choice) {}
    } catch {
      flow.close()
      throw error
    }
    flow.close()
    if state.open == 0 { await flowing.value }
    if let failure = state.failure { throw failure }
  }

  /// The state of sending.
  private struct Progress {
    /// The most that are claimed at once.
    let most: Int
    /// Claimed, and without an outcome.
    var open = 0
    /// True when nothing more is to be claimed.
    var isClosing = false
    /// The error that ends sending once the outcomes of what was claimed are there.
    var failure: (any Error)?
    /// The moment at which the server began to end.
    var ending: ContinuousClock.Instant?

    init(_ campaign: PushCampaign) {
      // All of them are unknown where the server is killed.
      most = campaign.rate.map { max(1, min(CampaignRun.mostOpen, Int(($0 / 4).rounded(.up)))) } ?? CampaignRun.mostOpen
    }
  }

  /// Writes outcomes down, claims more, and waits.
  ///
  /// - Returns: Whether there is more to do.
  private func step(
    _ progress: inout Progress, _ flow: PushFlow, _ rules: CampaignStore.ClaimRules,
    _ choice: @Sendable (String?) -> Int
  ) async throws -> Bool {
    let results = inbox.take()
    if !results.isEmpty {
      progress.open -= results.count
      if try await record(results) { progress.isClosing = true }
    }
    if isEnding() || inbox.isOver { progress.isClosing = true }
    var pause = 1.0
    if !progress.isClosing, progress.open <= progress.most / 2 {
      do {
        let claim = try await claim(min(Self.part, progress.most - progress.open), rules)
        progress.open += claim.deliveries.count
        flow.add(
          claim.deliveries.map {
            PushJob(number: Int($0.installation), token: $0.token, notification: choice($0.locale))
          })
        switch try await next(claim, progress.open) {
        case .close: progress.isClosing = true
        case .wait(let seconds): pause = seconds
        }
      } catch {
        // A full disk, as a rule.
        progress.isClosing = true
        progress.failure = error
      }
    }
    guard progress.isClosing else {
      await inbox.wait(pause)
      return true
    }
    flow.close()
    if progress.open <= 0 { return false }
    if isEnding() {
      let begin = progress.ending ?? .now
      progress.ending = begin
      // Requests without an answer by then are unknown at the next start.
      if ContinuousClock.now - begin > .seconds(Self.grace) { return false }
      pause = 0.1
    }
    await inbox.wait(pause)
    return true
  }

  private enum Next {
    case close
    case wait(Double)
  }

  /// The next thing to do after a claim.
  private func next(_ claim: DeliveryClaim, _ open: Int) async throws -> Next {
    let (number, now) = (number, services.now())
    guard claim.state == .running, claim.resumes <= now else { return .close }
    guard let due = claim.next else {
      guard open == 0 else { return .wait(1) }
      let isOver = try await services.store.write { try CampaignStore.finish(number, at: now, in: $0) }
      if isOver { services.counts.accepted("push-campaign") }
      return .close
    }
    if due <= now { return .wait(open == 0 || claim.deliveries.isEmpty ? 0 : 1) }
    guard open == 0, due - now > Self.longRest else { return .wait(min(due - now, 1)) }
    try await services.store.write { try CampaignStore.rest(number, until: due, in: $0) }
    return .close
  }

  private func claim(_ limit: Int, _ rules: CampaignStore.ClaimRules) async throws -> DeliveryClaim {
    let (number, now) = (number, services.now())
    return try await services.store.write { try CampaignStore.claim(number, limit, rules, at: now, in: $0) }
  }

  /// Writes outcomes down, as long as it takes: what was asked for must not be asked for again.
  ///
  /// - Returns: Whether nothing more is to be claimed.
  private func record(_ results: [PushResult]) async throws -> Bool {
    let outcomes = results.map {
      DeliveryOutcome(installation: Int64($0.number), token: $0.token, outcome: $0.outcome)
    }
    let number = number
    while true {
      do {
        let now = services.now()
        return try await services.store.write {
          try CampaignStore.record(number, outcomes, jitter: Double.random(in: 0...1), at: now, in: $0)
        }
      } catch {
        // At the next start they are unknown.
        guard !isEnding() else { throw error }
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }
}
