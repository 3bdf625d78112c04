import MPaaSLock

extension MessageQueue {
  /// The messages that are queued or handled, in the order in which they were sent.
  public var messages: [MessageSummary] {
    let now = deadlines.clock.now()
    let records = state.withLock { Array($0.live.values) }
    return records.filter { $0.outcome == nil }.sorted { $0.id < $1.id }.map { record in
      MessageSummary(
        id: record.id, name: record.name, state: record.state, progress: record.progress, age: now - record.sent,
        input: "\(record.input)")
    }
  }

  /// Tells whether messages of this name begin now.
  public func isFrozen(_ name: String) -> Bool {
    state.withLock { $0.frozen.contains { covers($0, name) } }
  }

  /// Holds the messages whose names have this prefix, before a controller gets them; nil for all.
  ///
  /// Handlers that have begun go on. A held message also holds those behind it to the same controller, and it does not
  /// run out of time: when it is released its time begins anew.
  public func freeze(_ prefix: String? = nil) {
    state.withLock { _ = $0.frozen.insert(prefix ?? "") }
  }

  /// Takes back `freeze` of the same prefix; nil takes back all.
  public func release(_ prefix: String? = nil) {
    let (begin, released) = state.withLock { state -> ([MessageRecord], [MessageRecord]) in
      let held = state.lanes.flatMap(\.waiting.all).filter { state.isHeld($0) }
      if let prefix { state.frozen.remove(prefix) } else { state.frozen = [] }
      let released = held.filter { !state.isHeld($0) }
      return (state.lanes.indices.flatMap { state.next(in: $0) }, released)
    }
    go(begin, released)
  }

  /// Lets one held message through, before those that wait with it; the queue stays frozen.
  ///
  /// - Returns: False where no such message is queued.
  @discardableResult
  public func release(message id: UInt64) -> Bool {
    let (begin, released) = state.withLock { state -> ([MessageRecord], MessageRecord?) in
      guard let record = state.live[id], record.state == .sending else { return ([], nil) }
      state.passing.insert(id)
      state.lanes[record.lane].bringForward(id)
      return (state.next(in: record.lane), record)
    }
    guard let released else { return false }
    go(begin, [released])
    return true
  }

  /// Each step of the messages whose names have this prefix, in order for each message; nil for all.
  ///
  /// It ends with the queue. Steps are kept until they are read.
  public func changes(of prefix: String? = nil) -> AsyncStream<MessageChange> {
    observers.stream(of: prefix)
  }

  /// Lets the time of released messages begin anew, and the handlers of those whose turn it is.
  private func go(_ begin: [MessageRecord], _ released: [MessageRecord]) {
    for record in released { deadlines.arm(record) }
    for record in begin { beginLater(record) }
  }
}
