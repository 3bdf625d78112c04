import MPaaSLock
import MPaaSRPC
import MPaaSTime

/// A clock that goes on when a test says so.
final class ManualClock: Sendable {
  private struct Sleeper {
    let deadline: TimeSpan
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var time = TimeSpan.zero
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var next = 0
  }

  static let start = 1_790_000_000.0

  private let state = Lock(State())

  var clock: RPCClock { clock(chance: { 0.5 }) }

  func clock(chance: @escaping @Sendable () -> Double) -> RPCClock {
    RPCClock(
      now: { Self.start + self.time / .seconds(1) }, uptime: { self.time }, sleep: { try await self.sleep($0) },
      chance: chance)
  }

  var time: TimeSpan { state.withLock { $0.time } }
  /// The lengths of the pauses that are under way, the shortest first.
  var pauses: [TimeSpan] { state.withLock { state in state.sleepers.values.map { $0.deadline - state.time }.sorted() } }

  private func sleep(_ span: TimeSpan) async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let isOver = state.withLock { state in
          if state.cancelled.remove(number) != nil { return true }
          state.sleepers[number] = Sleeper(deadline: state.time + span, continuation: continuation)
          return false
        }
        if isOver { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: number)
        if sleeper == nil { state.cancelled.insert(number) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Goes on, and wakes those whose pause is over.
  func advance(_ span: TimeSpan) {
    let due = state.withLock { state in
      state.time = state.time + span
      let due = state.sleepers.filter { $0.value.deadline <= state.time }
      for key in due.keys { state.sleepers[key] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Waits for a pause of a length in a range, and lets it end.
  func pass(_ range: ClosedRange<TimeSpan>) async {
    await eventually { self.pauses.contains { range.contains($0) } }
    if let pause = pauses.first(where: { range.contains($0) }) { advance(pause) }
  }
}

/// Waits until something holds, which other tasks bring about; tests fail elsewhere where it never does.
func eventually(_ holds: @Sendable () async -> Bool) async {
  for round in 0..<20_000 {
    if await holds() { return }
    if round < 200 { await Task.yield() } else { try? await Task.sleep(nanoseconds: 500_000) }
  }
}
