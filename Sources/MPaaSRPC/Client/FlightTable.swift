import MPaaSLock

/// Reads that are under way, so that equal ones ask the server once.
final class FlightTable: Sendable {
  typealias Outcome = Result<RPCTransport.Response, RPCError>

  struct Key: Hashable {
    private let request: CacheKey
    private let headers: [String: String]
    /// Made once: the table looks it up three times for each read.
    private let digest: Int

    init(request: CacheKey, headers: [String: String]) {
      self.request = request
      self.headers = headers
      var hasher = Hasher()
      hasher.combine(request)
      digest = hasher.finalize()
    }

    func hash(into hasher: inout Hasher) { hasher.combine(digest) }
  }

  private struct Flight {
    let number: Int
    let deadline: TimeSpan
    var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
    var task: Task<Void, Never>?
  }

  private struct State {
    var flights: [Key: Flight] = [:]
    var lastNumber = 0
    var revalidations: Set<CacheKey> = []
  }

  private let state = Lock(State())

  /// Waits for a read that is under way, or begins one.
  ///
  /// The end of the caller's task ends its waiting; where no caller waits any more, the read is ended, too.
  ///
  /// - Parameter deadline: The end of the caller's patience: it joins no read that may take longer.
  /// - Returns: The outcome, and whether it is of a read that another call began.
  func join(
    _ key: Key, deadline: TimeSpan, _ body: @escaping @Sendable () async -> Outcome
  ) async -> (outcome: Outcome, isShared: Bool) {
    let (number, waiter, isShared) = state.withLock { state -> (Int?, Int, Bool) in
      state.lastNumber += 1
      let waiter = state.lastNumber
      if let flight = state.flights[key] {
        return flight.deadline <= deadline ? (flight.number, waiter, true) : (nil, waiter, false)
      }
      state.flights[key] = Flight(number: waiter, deadline: deadline)
      return (waiter, waiter, false)
    }
    guard let number else { return (await body(), false) }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        wait(continuation, as: waiter, in: number, key)
        if !isShared { begin(number, key, body) }
      }
    } onCancel: {
      leave(waiter, number, key)
    }
    return (outcome, isShared)
  }

  private func wait(_ continuation: CheckedContinuation<Outcome, Never>, as waiter: Int, in number: Int, _ key: Key) {
    let isGone = state.withLock { state -> Bool in
      guard !Task.isCancelled, state.flights[key]?.number == number else { return true }
      state.flights[key]?.waiting[waiter] = continuation
      return false
    }
    // It landed between the two looks, or the caller left: who still wants the answer asks for itself.
    if isGone { continuation.resume(returning: .failure(RPCError(.cancelled))) }
  }

  private func begin(_ number: Int, _ key: Key, _ body: @escaping @Sendable () async -> Outcome) {
    let task = Self.task { self.land(number, key, await body()) }
    let isWanted = state.withLock { state -> Bool in
      guard state.flights[key]?.number == number else { return false }
      state.flights[key]?.task = task
      return true
    }
    // It has landed, or who waited for it left before the task was known.
    if !isWanted { task.cancel() }
  }

  /// A task that begins at once where the system can do that: another thread is not woken for a short way to the network.
  private static func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      Task.immediate(operation: body)
    } else {
      Task(operation: body)
    }
  }

  private func land(_ number: Int, _ key: Key, _ outcome: Outcome) {
    let waiting = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
      guard let flight = state.flights[key], flight.number == number else { return [] }
      state.flights[key] = nil
      return Array(flight.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
  }

  private func leave(_ waiter: Int, _ number: Int, _ key: Key) {
    let (continuation, task) = state.withLock { state -> (CheckedContinuation<Outcome, Never>?, Task<Void, Never>?) in
      guard var flight = state.flights[key], flight.number == number,
        let continuation = flight.waiting.removeValue(forKey: waiter)
      else { return (nil, nil) }
      guard flight.waiting.isEmpty else {
        state.flights[key] = flight
        return (continuation, nil)
      }
      state.flights[key] = nil
      return (continuation, flight.task)
    }
    task?.cancel()
    continuation?.resume(returning: .failure(RPCError(.cancelled)))
  }

  // MARK: Questions in the background

  /// Claims the question to the server if an answer is still good; false where another call has it.
  func beginRevalidation(_ key: CacheKey) -> Bool { state.withLock { $0.revalidations.insert(key).inserted } }

  func endRevalidation(_ key: CacheKey) { state.withLock { _ = $0.revalidations.remove(key) } }
}
