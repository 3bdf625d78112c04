import Synchronization

/// A clock that stands still until a test moves it.
final class StoppedClock: Clock {
  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now = Instant()
    var next = 0
    var sleepers: [Int: (until: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  var now: Instant { state.withLock(\.now) }
  var minimumResolution: Duration { .nanoseconds(1) }
  var sleepers: Int { state.withLock { $0.sleepers.count } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = state.withLock { state -> Result<Void, any Error>? in
          if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
          if state.now >= deadline { return .success(()) }
          state.sleepers[number] = (deadline, continuation)
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        if let sleeper = state.sleepers.removeValue(forKey: number) { return Optional(sleeper) }
        state.cancelled.insert(number)
        return nil
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Moves on once somebody sleeps, so that no sleeper comes too late.
  func advance(by duration: Duration) async {
    while sleepers == 0 { await Task.yield() }
    jump(by: duration)
  }

  /// Moves on at once.
  func jump(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.until <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.values.sorted { $0.until < $1.until }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }
}

/// Waits until something holds that another task brings about.
nonisolated(nonsending) func until(_ condition: () async -> Bool) async {
  while !(await condition()) { await Task.yield() }
}

/// A gate that handlers wait at until a test opens it.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var arrived = 0
  }

  private let state = Mutex(State())

  var arrived: Int { state.withLock(\.arrived) }

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        state.arrived += 1
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// The events, in their order.
final class Journal<Entry: Sendable>: Sendable {
  private let state = Mutex<[Entry]>([])

  var entries: [Entry] { state.withLock(\.self) }
  func note(_ entry: Entry) { state.withLock { $0.append(entry) } }
}
