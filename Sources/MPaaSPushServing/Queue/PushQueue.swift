import MPaaSLock
import MPaaSPush
import NIOCore

/// The jobs of a sender, which all its connections take from.
final class PushQueue: Sendable {
  /// The answer to a connection that could take a job.
  enum Next {
    case job(PushJob)
    /// There may be one at that time, or whenever the queue says so.
    case wait(NIODeadline?)
    /// All jobs have ended.
    case done
  }

  fileprivate struct State {
    var fresh: [PushJob]
    var taken = 0
    /// True while jobs may still be added.
    var isOpen: Bool
    /// The jobs that were never answered for sure.
    var again: [PushJob] = []
    /// The jobs that wait for their next attempt, the first to come last.
    var waiting: [(due: NIODeadline, job: PushJob)] = []
    var pause = NIODeadline.uptimeNanoseconds(0)
    /// True while a new credential is fetched.
    var isHeld = false
    /// The time from which the rate allows the next job.
    var turn = NIODeadline.uptimeNanoseconds(0)
    /// The jobs that have not ended.
    var left: Int
    /// True where none is left, and none will come.
    var isOver: Bool { left == 0 && !isOpen }
    /// The outcome of all jobs that no connection takes any more.
    var end: PushOutcome?
    var listeners: [Int: @Sendable () -> Void] = [:]
    var lastListener = 0
    var ends: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Lock<State>
  /// The least time between two jobs; nil for none.
  private let interval: TimeAmount?
  private let backoff: PushBackoff
  private let jitter: @Sendable () -> Double
  /// True where jobs that the provider is too busy for come back, in place of being tried again.
  private let leavesRefusals: Bool
  private let each: @Sendable (PushResult) -> Void

  init(
    _ jobs: [PushJob], isOpen: Bool = false, rate: Double?, backoff: PushBackoff, leavesRefusals: Bool = false,
    jitter: @escaping @Sendable () -> Double, each: @escaping @Sendable (PushResult) -> Void
  ) {
    state = Lock(State(fresh: jobs, isOpen: isOpen, left: jobs.count))
    interval = rate.map { .nanoseconds(Int64(1e9 / min(max($0, 0.001), 1e9))) }
    self.backoff = backoff
    self.jitter = jitter
    self.leavesRefusals = leavesRefusals
    self.each = each
  }

  var isDone: Bool { state.withLock { $0.isOver } }

  /// Takes the next job.
  func next(at now: NIODeadline) -> Next {
    state.withLock { state in
      if state.isOver { return .done }
      if state.isHeld { return .wait(nil) }
      if state.pause > now { return .wait(state.pause) }
      if let interval {
        if state.turn > now { return .wait(state.turn) }
        guard let job = state.take(now) else { return .wait(state.waiting.last?.due) }
        state.turn = max(state.turn, now) + interval
        return .job(job)
      }
      guard let job = state.take(now) else { return .wait(state.waiting.last?.due) }
      return .job(job)
    }
  }

  /// Ends a job.
  func finish(_ job: PushJob, _ outcome: PushOutcome) {
    each(PushResult(number: job.number, token: job.token, outcome: outcome))
    let (wakes, ends) = state.withLock { state -> ([@Sendable () -> Void], [CheckedContinuation<Void, Never>]) in
      state.left -= 1
      return state.over()
    }
    for wake in wakes { wake() }
    for end in ends { end.resume() }
  }

  /// Puts jobs behind those that there are; where no connection takes any more, they end as those did.
  func add(_ jobs: [PushJob]) {
    let (end, listeners) = state.withLock { state in
      state.left += jobs.count
      if state.end == nil {
        state.fresh.removeFirst(state.taken)
        state.taken = 0
        state.fresh += jobs
      }
      return (state.end, Array(state.listeners.values))
    }
    if let end { for job in jobs { finish(job, end) } } else { wake(listeners) }
  }

  /// Has connections end with the jobs that there are.
  func close() {
    let (wakes, ends) = state.withLock { state in
      state.isOpen = false
      return state.over()
    }
    for wake in wakes { wake() }
    for end in ends { end.resume() }
  }

  /// Gives a job back that the server has not processed for sure; it counts as no attempt.
  func giveBack(_ job: PushJob) {
    let (end, listeners) = state.withLock { state in
      if state.end == nil { state.again.append(job) }
      return (state.end, Array(state.listeners.values))
    }
    if let end { finish(job, end) } else { wake(listeners) }
  }

  /// Has a refused job wait for its next attempt, or ends it after the last one.
  ///
  /// - Parameter pausesAll: Whether all other jobs wait as long.
  func retry(
    _ job: PushJob, _ failure: PushFailure, retryAfter: Double?, pausesAll: Bool, at now: NIODeadline
  ) {
    var job = job
    job.attempts += 1
    guard job.attempts < backoff.attempts else { return finish(job, .failed(failure)) }
    let seconds = backoff.wait(after: job.attempts, retryAfter: retryAfter, jitter: jitter())
    let due = now + .nanoseconds(Int64(seconds * 1e9))
    let waiting = job
    let (isOver, listeners) = state.withLock { state -> (Bool, [@Sendable () -> Void]) in
      if state.end != nil { return (true, []) }
      let place = state.waiting.firstIndex { $0.due < due } ?? state.waiting.count
      state.waiting.insert((due, waiting), at: place)
      if pausesAll { state.pause = max(state.pause, due) }
      return (false, Array(state.listeners.values))
    }
    if isOver { finish(job, .failed(failure)) } else { wake(listeners) }
  }

  /// Has a job that the provider was too busy for wait, as `retry` does, or gives it back with all the others.
  func refuse(_ job: PushJob, _ failure: PushFailure, retryAfter: Double?, pausesAll: Bool, at now: NIODeadline) {
    guard leavesRefusals else {
      return retry(job, failure, retryAfter: retryAfter, pausesAll: pausesAll, at: now)
    }
    var failure = failure
    failure.retryAfter = retryAfter
    finish(job, .failed(failure))
    if pausesAll { end(with: .unsent("Paused")) }
  }

  /// Has all jobs wait until `release`, those that were refused for an old credential among them.
  ///
  /// - Returns: Whether the call was the first to do so.
  func hold(for job: PushJob, _ failure: PushFailure) -> Bool {
    retry(job, failure, retryAfter: nil, pausesAll: false, at: .now())
    return state.withLock { state in
      defer { state.isHeld = true }
      return !state.isHeld
    }
  }

  func release() {
    wake(
      state.withLock { state in
        state.isHeld = false
        return Array(state.listeners.values)
      })
  }

  /// Ends all jobs that are not under way, and those that are as soon as they come back.
  func end(with outcome: PushOutcome) {
    let rest = state.withLock { state in
      state.end = outcome
      let rest = state.again + state.waiting.map(\.job) + state.fresh[state.taken...]
      state.again = []
      state.waiting = []
      state.taken = state.fresh.count
      return rest
    }
    for job in rest { finish(job, outcome) }
  }

  private func wake(_ listeners: [@Sendable () -> Void]) { for listener in listeners { listener() } }

  /// Has something called whenever a job may have come; the number takes it out again.
  func listen(_ wake: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.lastListener += 1
      state.listeners[state.lastListener] = wake
      return state.lastListener
    }
  }

  func unlisten(_ number: Int) { state.withLock { state in state.listeners[number] = nil } }

  /// Waits until all jobs have ended.
  func finished() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.ends.append(continuation) }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
  }
}

extension PushQueue.State {
  /// The callbacks and the waiting tasks that are told where all is over.
  fileprivate mutating func over() -> ([@Sendable () -> Void], [CheckedContinuation<Void, Never>]) {
    guard isOver else { return ([], []) }
    defer { ends = [] }
    return (Array(listeners.values), ends)
  }

  fileprivate mutating func take(_ now: NIODeadline) -> PushJob? {
    if let job = again.popLast() { return job }
    if let last = waiting.last, last.due <= now { return waiting.removeLast().job }
    guard taken < fresh.count else { return nil }
    defer { taken += 1 }
    return fresh[taken]
  }
}
