import MPaaSLock
public import MPaaSTime

extension MessageQueue {
  /// Sends a message and waits for its answer.
  ///
  /// Cancelling the task cancels the message. The handler runs in a task of its own, which begins at once on the
  /// sender's thread where it can.
  /// - Parameters:
  ///   - message: The kind of the message.
  ///   - input: The input of the message.
  ///   - timeout: How long the answer may take; the message's own where nil.
  ///   - sender: The token by which the handler knows from whom it is.
  /// - Throws: `message-unhandled`, `message-failed` (with what the handler threw), `message-timed-out`,
  ///   `message-cancelled`, `message-on-its-way`, `message-waits-for-itself`, `message-queue-closed`, and where a handler
  ///   and a sender disagree `message-input-mismatched` or `message-output-mismatched`.
  public nonisolated(nonsending) func send<M: Message>(
    _ message: M.Type, _ input: M.Input, timeout: TimeSpan? = nil, from sender: MessageSender? = nil
  ) async throws(FrameworkError) -> M.Output {
    let (record, outcome) = try await send(
      M.name, input, timeout: timeout ?? M.timeout, isUnique: M.isUnique, sender: sender)
    return try record.typed(outcome)
  }

  /// Sends a message by its name, with values by key, and waits for its answer.
  ///
  /// - Throws: As the other `send`; `message-output-mismatched` where the answer is not values by key.
  public nonisolated(nonsending) func send(
    named name: String, _ values: MessageValues = [:], timeout: TimeSpan? = nil, from sender: MessageSender? = nil
  ) async throws(FrameworkError) -> MessageValues {
    let (record, outcome) = try await send(name, values, timeout: timeout, isUnique: false, sender: sender)
    return try record.typed(outcome)
  }

  /// Sends a message and goes on.
  ///
  /// - Throws: Why it was not taken: `message-unhandled`, `message-on-its-way`, `message-queue-closed`.
  @discardableResult
  public func post<M: Message>(
    _ message: M.Type, _ input: M.Input, timeout: TimeSpan? = nil, from sender: MessageSender? = nil
  ) throws(FrameworkError) -> MessageHandle<M.Output> {
    let (record, isFirst) = try enqueue(
      M.name, input, timeout: timeout ?? M.timeout, isUnique: M.isUnique, sender: sender)
    if isFirst { begin(record) }
    return MessageHandle(record: record, queue: self)
  }

  /// Sends a message by its name, with values by key, and goes on.
  ///
  /// - Throws: As the other `post`.
  @discardableResult
  public func post(
    named name: String, _ values: MessageValues = [:], timeout: TimeSpan? = nil, from sender: MessageSender? = nil
  ) throws(FrameworkError) -> MessageHandle<MessageValues> {
    let (record, isFirst) = try enqueue(name, values, timeout: timeout, isUnique: false, sender: sender)
    if isFirst { begin(record) }
    return MessageHandle(record: record, queue: self)
  }

  /// Cancels the messages whose names have this prefix; nil for all.
  ///
  /// - Returns: How many were on their way until now.
  @discardableResult
  public func cancelAll(of prefix: String? = nil) -> Int {
    let records = state.withLock { $0.live.values.filter { covers(prefix, $0.name) } }
    return records.sorted { $0.id < $1.id }.count { cancel($0) }
  }

  /// Takes no more messages, cancels those on their way and waits for their handlers to return.
  public func close() async {
    for record in shut() { await record.returned() }
    observers.finish()
  }

  /// Takes no more messages and cancels those on their way.
  @discardableResult
  func shut() -> [MessageRecord] {
    let records = state.withLock { state in
      state.isClosed = true
      return Array(state.live.values)
    }
    for record in records { cancel(record) }
    return records
  }
}

extension MessageQueue {
  /// The handlers that wait for the running code, the innermost first.
  @TaskLocal static var waiting: Waiting?

  final class Waiting: Sendable {
    let record: MessageRecord
    let outer: Waiting?

    init(_ record: MessageRecord, outer: Waiting?) {
      self.record = record
      self.outer = outer
    }
  }

  private nonisolated(nonsending) func send(
    _ name: String, _ input: any Sendable, timeout: TimeSpan?, isUnique: Bool, sender: MessageSender?
  ) async throws(FrameworkError) -> (MessageRecord, MessageRecord.Outcome) {
    guard !Task.isCancelled else {
      throw FrameworkError(.messageCancelled, .message(name), underlying: CancellationError())
    }
    let (record, isFirst) = try enqueue(
      name, input, timeout: timeout, isUnique: isUnique, sender: sender, waiter: Self.waiting)
    if isFirst { begin(record) }
    if let outcome = record.outcome { return (record, outcome) }
    let outcome = await withTaskCancellationHandler {
      await record.awaited()
    } onCancel: {
      cancel(record)
    }
    return (record, outcome)
  }

  /// Takes a message.
  ///
  /// - Returns: Whether its turn is now.
  private func enqueue(
    _ name: String, _ input: any Sendable, timeout: TimeSpan?, isUnique: Bool, sender: MessageSender?,
    waiter: Waiting? = nil
  ) throws(FrameworkError) -> (MessageRecord, isFirst: Bool) {
    let sent = deadlines.clock.now()
    try attachOffered(for: name)
    let taken = state.withLock { state -> Result<(MessageRecord, isFirst: Bool), FrameworkError> in
      guard !state.isClosed else { return .failure(FrameworkError(.messageQueueClosed, .message(name))) }
      guard let route = state.route(of: name) else { return .failure(state.unhandled(name)) }
      if isUnique, state.live.values.contains(where: { $0.name == name && $0.outcome == nil }) {
        return .failure(FrameworkError(.messageOnItsWay, .message(name), at: route.place))
      }
      if let waiter, let path = waiter.circle(to: name, lane: route.lane, limit: state.lanes[route.lane].limit) {
        return .failure(
          FrameworkError(.messageWaitsForItself, .message(name), at: route.place, values: ["path": path]))
      }
      state.sent += 1
      let record = MessageRecord(
        id: state.sent, name: name, input: input, route: route, timeout: timeout, sent: sent,
        sender: sender, observers: observers)
      state.live[record.id] = record
      record.enqueue()
      state.lanes[route.lane].append(record)
      return .success((record, state.next(in: route.lane).contains { $0 === record }))
    }
    let (record, isFirst) = try taken.get()
    if timeout != nil, isFirst || !isHeld(record) { deadlines.arm(record) }
    return (record, isFirst)
  }
}

extension MessageQueue {
  /// Lets the handler of a message begin, on this thread until it first waits.
  func begin(_ record: MessageRecord) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      record.attach(Task.immediate { await self.handle(record) })
    } else {
      beginLater(record)
    }
  }

  /// Lets the handler of a message begin soon: beginning at once would nest, one handler within another.
  func beginLater(_ record: MessageRecord) {
    record.attach(Task { await self.handle(record) })
  }

  private nonisolated(nonsending) func handle(_ record: MessageRecord) async {
    if record.begin() {
      let waiting = Waiting(record, outer: Self.waiting)
      do {
        let output = try await Self.$waiting.withValue(waiting) {
          try await record.route.handler(record.input, MessageExchange(record: record))
        }
        finish(record, .success(output), .succeeded)
      } catch {
        finish(record, error)
      }
    }
    record.handlerReturned()
    let begin = state.withLock { state in
      state.live[record.id] = nil
      state.passing.remove(record.id)
      state.lanes[record.lane].running -= 1
      return state.next(in: record.lane)
    }
    for next in begin { beginLater(next) }
  }

  private func finish(_ record: MessageRecord, _ error: any Error) {
    if let error = error as? FrameworkError, error.code == .messageInputMismatched,
      error.subject == .message(record.name)
    {
      return finish(record, .failure(record.error(error.code, values: error.values)), .failed)
    }
    if error is CancellationError { return finish(record, .failure(record.cancelled), .cancelled) }
    finish(record, .failure(record.error(.messageFailed, underlying: error)), .failed)
  }

  private func finish(_ record: MessageRecord, _ outcome: MessageRecord.Outcome, _ state: MessageState) {
    deadlines.disarm(record)
    record.finish(outcome, state)
  }

  /// Cancels a message, and its handler where it runs.
  @discardableResult
  func cancel(_ record: MessageRecord) -> Bool {
    guard record.finish(.failure(record.cancelled), .cancelled) else { return false }
    deadlines.disarm(record)
    record.stop()
    sweep(record.lane)
    return true
  }

  /// Ends a message whose time is over; one that is held by a freeze gets its time anew when it is released.
  func expire(_ record: MessageRecord) {
    if record.state == .sending, isHeld(record) { return }
    let timeout = record.timeout.map { "\($0)" } ?? "-"
    let error = record.error(.messageTimedOut, values: ["timeout": timeout])
    guard record.finish(.failure(error), .failed) else { return }
    record.stop()
    sweep(record.lane)
  }

  func isHeld(_ record: MessageRecord) -> Bool {
    state.withLock { $0.isHeld(record) }
  }

  /// Takes messages that are over out of a lane's front, and lets those behind them begin.
  func sweep(_ lane: Int) {
    for record in state.withLock({ $0.next(in: lane) }) { beginLater(record) }
  }
}

extension MessageQueue.State {
  /// Takes out the messages of a lane whose turn it is.
  mutating func next(in lane: Int) -> [MessageRecord] {
    let frozen = frozen
    let passing = passing
    let (begin, over) = lanes[lane].next { record in
      !frozen.isEmpty && !passing.contains(record.id) && frozen.contains { covers($0, record.name) }
    }
    for record in over { live[record.id] = nil }
    return begin
  }

  /// The controller with the longest prefix that handles this message, or takes all of its prefix.
  mutating func route(of name: String) -> MessageQueue.Route? {
    if let known = routes[name] { return known }
    var prefix = Substring(name)
    while true {
      if let lane = laneByPrefix[String(prefix)] {
        if let handler = lanes[lane].handlers.byName[name] {
          let route = MessageQueue.Route(lane: lane, handler: handler, place: lanes[lane].place)
          routes[name] = route
          return route
        }
        if let other = lanes[lane].handlers.other {
          return MessageQueue.Route(lane: lane, handler: other, place: lanes[lane].place)
        }
      }
      guard let dot = prefix.lastIndex(of: ".") else {
        guard !prefix.isEmpty else { return nil }
        prefix = ""
        continue
      }
      prefix = prefix[..<dot]
    }
  }

  func unhandled(_ name: String) -> FrameworkError {
    let near = nearest(to: name, among: lanes.flatMap(\.handlers.byName.keys).sorted())
    return FrameworkError(
      .messageUnhandled, .message(name), values: ["suggestion": near.map { " (\($0)?)" } ?? ""])
  }
}

extension MessageQueue.Waiting {
  /// Says how a message would wait for itself: all places of its controller are taken by handlers that wait for it.
  func circle(to name: String, lane: Int, limit: Int) -> String? {
    var names = [name]
    var taken = 0
    var next: MessageQueue.Waiting? = self
    while let waiting = next {
      names.append(waiting.record.name)
      if waiting.record.lane == lane, waiting.record.isHandled { taken += 1 }
      if taken == limit { return names.reversed().joined(separator: " → ") }
      next = waiting.outer
    }
    return nil
  }
}
