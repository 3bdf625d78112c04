import MPaaSPush
import MPaaSSupport
import MPaaSTimeZones
import Synchronization

/// Sends campaigns, as long as the server runs: each that is due has a task.
final class CampaignRunner: Sendable {
  private struct State {
    var isEnding = false
    var isRecovered = false
    var runs: [Int64: CampaignRun] = [:]
    /// Campaigns whose work failed, with the time at which they are tried again.
    var later: [Int64: ContinuousClock.Instant] = [:]
    var loop: Task<Void, Never>?
  }

  /// The most campaigns that are sent at a time.
  private static let most = 16
  /// The time between two looks for campaigns that are due.
  private static let pause = 1.0
  /// The time in which campaigns come to a stop when the server ends.
  private static let grace = Duration.seconds(10)

  let keys: CampaignKeys
  let zones: TimeZoneTable
  private let services: ServerServices
  private let state = Mutex(State())
  private let inbox = CampaignInbox()

  init(_ services: ServerServices, keys: CampaignKeys, zones: TimeZoneTable = TimeZoneTable()) {
    (self.services, self.keys, self.zones) = (services, keys, zones)
  }

  /// Begins to send what is due.
  func begin() {
    let loop = Task { [self] in
      while !state.withLock({ $0.isEnding }) {
        await look()
        await inbox.wait(Self.pause)
      }
    }
    state.withLock { $0.loop = loop }
  }

  /// Has it look for campaigns that have come or were changed.
  func look(at number: Int64) {
    state.withLock { state in
      state.later[number] = nil
      return state.runs[number]
    }?.inbox.look()
    inbox.look()
  }

  /// Sends nothing more, and returns when the outcomes of what was sent are written down, or have not come in time.
  func end() async {
    let (loop, runs) = state.withLock { state in
      state.isEnding = true
      return (state.loop, state.runs.values.map(\.inbox))
    }
    inbox.look()
    for run in runs { run.look() }
    await loop?.value
    let deadline = ContinuousClock.now + Self.grace
    while state.withLock({ !$0.runs.isEmpty }), ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  private func look() async {
    guard await services.does(.campaigns) else { return state.withLock { $0.isRecovered = false } }
    let now = services.now()
    do {
      if !state.withLock({ $0.isRecovered }) {
        let count = try await services.store.write { try CampaignStore.recover(at: now, in: $0) }
        if count > 0 { services.counts.add("interrupted.push", Int64(count)) }
        state.withLock { $0.isRecovered = true }
      }
      for number in try await services.store.read({ try CampaignStore.due(at: now, in: $0) }) { start(number) }
    } catch {
      // A full disk, as a rule: it looks again.
    }
  }

  private func start(_ number: Int64) {
    let run = CampaignRun(services: services, keys: keys, zones: zones, number: number) { [self] in
      state.withLock { $0.isEnding }
    }
    let isNew = state.withLock { state in
      let isWaiting = state.later[number].map { $0 > .now } ?? false
      guard !state.isEnding, !isWaiting, state.runs[number] == nil, state.runs.count < Self.most else { return false }
      state.runs[number] = run
      return true
    }
    guard isNew else { return }
    Task { [self] in
      do { try await run.run() } catch {
        services.counts.add("failed.push-campaign")
        state.withLock { $0.later[number] = .now + .seconds(5) }
      }
      state.withLock { $0.runs[number] = nil }
      inbox.look()
    }
  }
}
