import Foundation
import MPaaSHotpatchTestSupport
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Synchronization
import Testing

@testable import MPaaSHotpatch

/// Servers that keep a sync waiting, and an app that goes on meanwhile.
@Suite("A client of bad servers", .serialized) struct WaitingTests {
  enum Server: String, CaseIterable {
    case silent, trickling, lying, oneByte

    var steps: [ScriptedServer.Step] {
      let head = ScriptedServer.answer("200 OK", length: 400_000)
      switch self {
      case .silent: return [.stall(seconds: 20)]
      // 1,100 bytes a second, just above what is asked for.
      case .trickling:
        return [head] + (0..<200).flatMap { _ in [.send(Array(repeating: 32, count: 110)), .stall(seconds: 0.1)] }
      case .oneByte: return [head] + (0..<20).flatMap { _ in [.send([32]), .stall(seconds: 1)] }
      // Much less than it says, again and again, and then nothing.
      case .lying:
        return [
          ScriptedServer.answer("200 OK", body: Array(repeating: 123, count: 1000), length: 100_000),
          .stall(seconds: 20),
        ]
      }
    }
  }

  /// A call that the app made.
  private struct Call: Sendable {
    var time: Duration
    /// True if the thread stood still of itself, for a lock or a file; else it had to leave the processor to others.
    var hasWaited: Bool
  }

  private func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
  }

  /// The time of the calls that the app made during `time`.
  private func calls(of client: HotpatchClient, for time: Duration) -> [String: [Call]] {
    let clock = ContinuousClock()
    let end = clock.now + time
    let calls: [(String, () -> Void)] = [
      ("confirmHealthy", { client.confirmHealthy() }), ("running", { _ = client.running }),
      ("runStored", { client.runStored() }), ("update", { client.update { $0.city = "Shanghai" } }),
    ]
    var taken: [String: [Call]] = [:]
    while clock.now < end {
      for (name, call) in calls {
        let before = ThreadWaits.count
        let time = clock.measure(call)
        taken[name, default: []].append(Call(time: time, hasWaited: ThreadWaits.count != before))
      }
      usleep(1000)
    }
    return taken
  }

  @Test(
    "lets every call of the app return within 5 ms, ends at its deadline, and the app's word is written meanwhile",
    arguments: Server.allCases)
  func returns(_ kind: Server) async throws {
    let repository = try PublishedRepository()
    try repository.publish("1")
    let first = try repository.start()
    #expect(first.running == "1")
    let server = try ScriptedServer { _ in kind.steps }
    var configuration = HotpatchClient.Configuration(
      folder: repository.clientFolder, device: Sample.device,
      root: try [UInt8](Data(contentsOf: URL(filePath: repository.editor.folder.metadata("root", 1)))),
      mirrors: [server.url], keys: [repository.online.verificationKey], identities: [])
    #expect(configuration.syncTime == .seconds(60))
    #expect(configuration.pace.leastRate == 1000)
    configuration.syncTime = .seconds(3)
    // So that nothing but the deadline can end the sync: the server itself would end it in another way.
    configuration.pace.window = .seconds(600)
    let store = PatchStore(repository.clientFolder)
    let bundles = try repository.effects()
    var effects = try ClientEffects.live(configuration, store)
    effects.verify = bundles.verify
    effects.run = bundles.run
    let events = Mutex<[HotpatchEvent]>([])
    let app = Mutex<HotpatchClient?>(nil)
    let client = HotpatchClient(configuration, store, effects: effects) { event in
      events.withLock { $0.append(event) }
      // The receiver of an event may call the client, too.
      app.withLock { $0 }?.confirmHealthy()
    }
    app.withLock { $0 = client }
    let sync = Task.detached { await client.start() }
    // On a thread of its own: those that tasks share may be busy for longer than the sync.
    let (made, isWhileSyncing, isHealthy) = try await onOwnThread {
      let end = ContinuousClock.now + .seconds(60)
      while client.running.isEmpty, ContinuousClock.now < end { usleep(1000) }
      let made = self.calls(of: client, for: .seconds(1))
      let isWhileSyncing = events.withLock { $0.allSatisfy { if case .syncFailed = $0 { false } else { true } } }
      return (made, isWhileSyncing, try store.load().pendingBoot?.isHealthy)
    }
    #expect(client.running == ["cart": "1"])
    #expect(isWhileSyncing)
    #expect(isHealthy == true)
    for (name, made) in made {
      #expect(made.count > 20, "\(name): \(made.count)")
      // On a busy machine a thread is sometimes kept from the processor, or waits for one that is, with the lock in its
      // hands. Calls that wait for a file or for the network would be late each time, and as long as those take.
      let late = made.filter { $0.time >= .milliseconds(5) }
      #expect(late.count * 10 <= made.count, "\(name): \(late.count) of \(made.count)")
      let waiting = late.filter(\.hasWaited)
      #expect(waiting.count * 50 <= made.count, "\(name): \(waiting.map(\.time))")
      #expect(made.allSatisfy { $0.time < .milliseconds(1500) }, "\(name): \(late.map(\.time).max() ?? .zero)")
    }
    await sync.value
    let failures = events.withLock { events in
      events.compactMap { if case .syncFailed(let error) = $0 { error.identifier } else { nil } }
    }
    #expect(failures == ["server-timed-out"])
    app.withLock { $0 = nil }
  }

  @Test("has its word on the disk when it has waited for it, and a word before the start says nothing")
  func flushes() async throws {
    let repository = try PublishedRepository()
    try repository.publish("1")
    _ = try repository.start()
    let store = PatchStore(repository.clientFolder)
    let configuration = HotpatchClient.Configuration(
      folder: repository.clientFolder, device: Sample.device, root: [1], mirrors: [], keys: [], identities: [])
    let client = HotpatchClient(configuration, store, effects: try repository.effects()) { _ in }
    client.confirmHealthy()
    await client.flush()
    client.runStored()
    await client.flush()
    #expect(try store.load().pendingBoot?.isHealthy == false)
    client.confirmHealthy()
    await client.flush()
    let boot = try #require(try store.load().pendingBoot)
    #expect(boot.isHealthy)
    #expect(boot.healthy == boot.digests)
    #expect(boot.digests.count == 1)
  }

  @Test("does not take a word for a patch that came after it, or right before it, until that had its own time")
  func ownTime() async throws {
    let repository = try PublishedRepository()
    try repository.publish("1")
    let store = PatchStore(repository.clientFolder)
    try store.prepare()
    var configuration = HotpatchClient.Configuration(
      folder: repository.clientFolder, device: Sample.device, root: [1], mirrors: [], keys: [], identities: [])
    configuration.healthyAfter = .seconds(10)
    let clock = StoppedClock()
    var effects = try repository.effects()
    effects.uptime = { clock.now }
    effects.pause = { await clock.pause($0) }
    let client = HotpatchClient(configuration, store, effects: effects) { _ in }
    client.runStored()
    client.confirmHealthy()
    await client.start()
    client.confirmHealthy()
    await client.flush()
    let boot = try #require(try store.load().pendingBoot)
    #expect(client.running == ["cart": "1"])
    #expect(boot.digests.count == 1)
    #expect(boot.isHealthy)
    #expect(boot.healthy.isEmpty)
    clock.advance(by: .seconds(9))
    client.confirmHealthy()
    await client.flush()
    #expect(try store.load().pendingBoot?.healthy == [])
    clock.advance(by: .seconds(1))
    client.confirmHealthy()
    await client.flush()
    #expect(try store.load().pendingBoot?.healthy == boot.digests)
  }

  @Test("says by itself of a patch that had its own time that it is healthy", .timeLimit(.minutes(10)))
  func saysItself() async throws {
    let repository = try PublishedRepository()
    try repository.publish("1")
    let store = PatchStore(repository.clientFolder)
    try store.prepare()
    let configuration = HotpatchClient.Configuration(
      folder: repository.clientFolder, device: Sample.device, root: [1], mirrors: [], keys: [], identities: [])
    let clock = StoppedClock()
    var effects = try repository.effects()
    effects.uptime = { clock.now }
    effects.pause = { await clock.pause($0) }
    let client = HotpatchClient(configuration, store, effects: effects) { _ in }
    await client.start()
    // One pause began with the start, one with the patch that came.
    await clock.untilPaused(2)
    let digests = try #require(try store.load().pendingBoot?.digests)
    #expect(digests.count == 1)
    #expect(try store.load().pendingBoot?.healthy == [])
    clock.advance(by: .seconds(10))
    while try store.load().pendingBoot?.healthy != digests {
      await Task.yield()
      await client.flush()
    }
  }
}

/// A clock that moves when it is told to.
private final class StoppedClock: Sendable {
  private struct State {
    var now = MonotonicInstant.now
    var pauses: [(end: MonotonicInstant, continuation: CheckedContinuation<Void, Never>)] = []
  }
  private let state = Mutex(State())

  var now: MonotonicInstant { state.withLock(\.now) }

  func pause(_ time: TimeSpan) async {
    await withCheckedContinuation { continuation in
      state.withLock { $0.pauses.append(($0.now + time, continuation)) }
    }
  }

  func advance(by time: TimeSpan) {
    let ended = state.withLock { state in
      state.now = state.now + time
      defer { state.pauses.removeAll { $0.end <= state.now } }
      return state.pauses.filter { $0.end <= state.now }
    }
    for pause in ended { pause.continuation.resume() }
  }

  /// Returns when this many pauses are under way.
  func untilPaused(_ count: Int) async {
    while state.withLock(\.pauses.count) < count { await Task.yield() }
  }
}
