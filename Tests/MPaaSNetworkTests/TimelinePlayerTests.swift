import MPaaSNetwork
import Synchronization
import Testing

/// A clock that goes on when it is told to.
final class ManualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [Int: (Instant, CheckedContinuation<Void, any Error>)] = [:]
    var next = 0
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())
  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }
  var sleepers: Int { state.withLock { $0.sleepers.count } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state -> Result<Void, any Error>? in
          if state.cancelled.contains(id) { return .failure(CancellationError()) }
          if deadline <= state.now { return .success(()) }
          state.sleepers[id] = (deadline, continuation)
          return nil
        }
        if let isOver { continuation.resume(with: isOver) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.cancelled.insert(id)
        return state.sleepers.removeValue(forKey: id)
      }
      sleeper?.1.resume(throwing: CancellationError())
    }
  }

  /// Goes to a time and wakes who waited for it.
  func advance(to offset: Duration) {
    let due = state.withLock { state in
      state.now = Instant(offset: offset)
      let due = state.sleepers.filter { $0.value.0 <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.1)
    }
    for continuation in due { continuation.resume() }
  }
}

@Suite("The player of timelines", .timeLimit(.minutes(10))) struct TimelinePlayerTests {
  let clock = ManualClock()

  /// The profiles put in force, in order, at which time of the clock.
  final class Applied: Sendable {
    private let list = Mutex<[(Duration, [String])]>([])
    var times: [Duration] { list.withLock { $0.map(\.0) } }
    var names: [[String]] { list.withLock { $0.map(\.1) } }
    func add(_ time: Duration, _ toxics: [Toxic]) { list.withLock { $0.append((time, toxics.map(\.name))) } }
  }

  private func player(_ text: String, _ applied: Applied) throws -> TimelinePlayer {
    let clock = clock
    return TimelinePlayer(try Timeline(text: text, file: "t"), clock: clock) { applied.add(clock.now.offset, $0) }
  }

  /// Lets the clock run to `end`, from one wait to the next, however long the player takes to get to each.
  private func run(to end: Duration, every step: Duration = .seconds(1), until isOver: () async -> Bool = { false })
    async
  {
    var time = clock.now.offset
    while time < end, await !isOver() {
      while clock.sleepers == 0 {
        if await isOver() { return }
        await Task.yield()
      }
      time += step
      clock.advance(to: time)
    }
  }

  @Test("puts in force what holds, at the moments and no other, and takes it away at the end")
  func plays() async throws {
    let applied = Applied()
    let player = try player("at 2s: flight mode for 3s\nfrom 4s to 6s: up loss 1%\nlength 8s", applied)
    await player.start()
    await run(to: .seconds(60)) { await player.state == .ended }
    await player.wait()
    #expect(
      applied.names == [
        [], ["flight_mode_downstream"], ["flight_mode_downstream", "loss_upstream"], ["loss_upstream"], [], [],
      ])
    #expect(applied.times == [0, 2, 4, 5, 6, 8].map { .seconds($0) })
    #expect(await player.rounds == 1)
  }

  @Test("is waited for until its conditions are taken away, not only until its time is up")
  func waits() async throws {
    let (taken, take) = AsyncStream.makeStream(of: Void.self)
    let applied = Applied()
    let clock = clock
    let player = TimelinePlayer(try Timeline(text: "at 0s: loss 1%\nlength 1s", file: "t"), clock: clock) {
      if $0.isEmpty { for await _ in taken {} }
      applied.add(clock.now.offset, $0)
    }
    await player.start()
    await run(to: .seconds(60)) { await player.state == .ended }
    let waiting = Task {
      await player.wait()
      return applied.names.last
    }
    let stopping = Task {
      await player.stop()
      return applied.names.last
    }
    for _ in 0..<100 { await Task.yield() }
    take.finish()
    #expect(await waiting.value == [])
    #expect(await stopping.value == [])
  }

  @Test("begins again where it repeats, without the times drifting")
  func repeats() async throws {
    let applied = Applied()
    let player = try player("at 1s: loss 1% for 1s\nlength 3s\nrepeat", applied)
    await player.start()
    await run(to: .seconds(60)) { await player.rounds >= 3 }
    await player.stop()
    #expect(applied.times.prefix(8) == [0, 1, 2, 3, 4, 5, 6, 7].map { .seconds($0) }.prefix(8))
    #expect(await player.state == .stopped)
    #expect(applied.names.last == [])
  }

  @Test("while it is paused the conditions stay and its time does not pass")
  func pauses() async throws {
    let applied = Applied()
    let player = try player("at 2s: flight mode for 10s", applied)
    await player.start()
    await run(to: .seconds(5))
    await player.pause()
    #expect(await player.position == .seconds(5))
    #expect(applied.names.last == ["flight_mode_downstream"])
    clock.advance(to: .seconds(100))
    #expect(await player.position == .seconds(5))
    await player.start()
    await run(to: .seconds(300)) { await player.state == .ended }
    #expect(applied.times.last == .seconds(107))
  }

  @Test("plays on a collection as a layer of its own")
  func collection() async throws {
    let collection = ProxyCollection(threads: 1)
    try await collection.add(ProxyDefinition(name: "web", listen: "127.0.0.1:0", upstream: "127.0.0.1:9"))
    let player = TimelinePlayer(
      try Timeline(text: "at 0s: loss 1%", file: "t"), on: collection, clock: clock)
    await player.start()
    #expect(
      try await collection.proxy("web").toxics.map(\.name) == ["timeline.loss_downstream", "timeline.loss_upstream"])
    await player.stop()
    #expect(try await collection.proxy("web").toxics.isEmpty)
    await collection.shutdown()
  }
}
