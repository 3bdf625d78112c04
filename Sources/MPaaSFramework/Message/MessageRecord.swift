import MPaaSLock
import MPaaSTime

/// A message on its way: what it carries, where it stands, and who waits for its answer.
///
/// Its last state is given once, whoever comes first: the handler's answer, the time-out or the cancellation.
final class MessageRecord: Sendable {
  typealias Outcome = Result<any Sendable, FrameworkError>

  let id: UInt64
  let name: String
  let input: any Sendable
  /// Its handler, with its controller's lane and line.
  let route: MessageQueue.Route
  let timeout: TimeSpan?
  /// By the queue's clock.
  let sent: TimeSpan
  /// The token that it was sent with.
  let sender: MessageSender?
  private let observers: MessageObservers
  private let condition = Lock(Condition())

  private struct Condition {
    var state = MessageState.created
    var progress: Double?
    var outcome: Outcome?
    var hasReturned = false
    var deadline: TimeSpan?
    var task: Task<Void, Never>?
    var waiters: [CheckedContinuation<Outcome, Never>] = []
    var streams: [AsyncStream<MessageChange>.Continuation] = []
  }

  init(
    id: UInt64, name: String, input: any Sendable, route: MessageQueue.Route, timeout: TimeSpan?, sent: TimeSpan,
    sender: MessageSender?, observers: MessageObservers
  ) {
    self.id = id
    self.name = name
    self.input = input
    self.route = route
    self.timeout = timeout
    self.sent = sent
    self.sender = sender
    self.observers = observers
    if observers.areThere { condition.withLock { tell($0) } }
  }

  /// The position of its controller's lane.
  var lane: Int { route.lane }
  var state: MessageState { condition.withLock { $0.state } }
  var progress: Double? { condition.withLock { $0.progress } }
  var outcome: Outcome? { condition.withLock { $0.outcome } }
  /// Tells whether its handler has begun and not yet returned.
  var isHandled: Bool { condition.withLock { $0.state != .created && $0.state != .sending && !$0.hasReturned } }

  /// The deadline, by the queue's clock; nil while nothing is armed.
  var deadline: TimeSpan? {
    get { condition.withLock { $0.deadline } }
    set { condition.withLock { $0.deadline = newValue } }
  }

  /// `created` → `sending`.
  func enqueue() { advance(to: .sending, from: .created) }

  /// `sending` → `waiting`; false where it is cancelled or out of time already.
  func begin() -> Bool { advance(to: .waiting, from: .sending) }

  /// Gives the last state, once.
  ///
  /// - Returns: Whether this was the first to give one.
  @discardableResult
  func finish(_ outcome: Outcome, _ state: MessageState) -> Bool {
    let waiters = condition.withLock { condition -> [CheckedContinuation<Outcome, Never>]? in
      guard condition.outcome == nil else { return nil }
      condition.outcome = outcome
      condition.state = state
      tell(condition)
      for stream in condition.streams { stream.finish() }
      defer { (condition.waiters, condition.streams) = ([], []) }
      return condition.waiters
    }
    for waiter in waiters ?? [] { waiter.resume(returning: outcome) }
    return waiters != nil
  }

  /// Cancels what is left of the handler.
  func stop() { condition.withLock { $0.task }?.cancel() }

  /// An error that names the message and the line of its controller.
  func error(
    _ code: FrameworkError.Code, values: [String: String] = [:], underlying: (any Error)? = nil
  ) -> FrameworkError {
    FrameworkError(code, .message(name), at: route.place, values: values, underlying: underlying)
  }

  var cancelled: FrameworkError { error(.messageCancelled, underlying: CancellationError()) }

  /// Keeps the handler's task, so that it can be cancelled.
  func attach(_ task: Task<Void, Never>) {
    let isOver = condition.withLock { condition in
      guard !condition.hasReturned else { return false }
      condition.task = task
      return condition.outcome != nil
    }
    if isOver { task.cancel() }
  }

  /// The handler has returned.
  func handlerReturned() {
    condition.withLock {
      $0.hasReturned = true
      $0.task = nil
    }
  }

  /// Waits for the handler to return, where it has begun.
  func returned() async { await condition.withLock { $0.task }?.value }

  func report(progress: Double) {
    condition.withLock { condition in
      guard condition.state == .waiting else { return }
      condition.progress = progress
      tell(condition)
    }
  }

  /// Waits for the last state.
  nonisolated(nonsending) func awaited() async -> Outcome {
    if let outcome { return outcome }
    return await withCheckedContinuation { continuation in
      let outcome = condition.withLock { condition -> Outcome? in
        if condition.outcome == nil { condition.waiters.append(continuation) }
        return condition.outcome
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }

  /// Its present state, and each step from now on to the last.
  func changes() -> AsyncStream<MessageChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: MessageChange.self)
    condition.withLock { condition in
      continuation.yield(change(condition))
      if condition.outcome == nil { condition.streams.append(continuation) } else { continuation.finish() }
    }
    return stream
  }

  @discardableResult
  private func advance(to next: MessageState, from state: MessageState) -> Bool {
    condition.withLock { condition in
      guard condition.state == state else { return false }
      condition.state = next
      tell(condition)
      return true
    }
  }

  /// Called while the condition is locked, so that the steps are seen in one order.
  private func tell(_ condition: borrowing Condition) {
    guard !condition.streams.isEmpty || observers.areThere else { return }
    let change = change(condition)
    for stream in condition.streams { stream.yield(change) }
    observers.tell(change)
  }

  private func change(_ condition: borrowing Condition) -> MessageChange {
    var error: FrameworkError?
    if case .failure(let failure) = condition.outcome { error = failure }
    return MessageChange(
      id: id, name: name, state: condition.state, progress: condition.progress, error: error)
  }
}
