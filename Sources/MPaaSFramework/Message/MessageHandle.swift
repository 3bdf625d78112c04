/// A message that was sent without waiting for its answer.
public struct MessageHandle<Output: Sendable>: Sendable {
  let record: MessageRecord
  let queue: MessageQueue

  /// The number of the message, which no other message of its queue has.
  public var id: UInt64 { record.id }
  /// The name of the message's kind: `cart.add`.
  public var name: String { record.name }
  /// The state of the message now.
  public var state: MessageState { record.state }
  /// From 0 to 1, where the controller tells.
  public var progress: Double? { record.progress }

  /// Its present state, and each step it takes from now on; ends with the last one.
  public var changes: AsyncStream<MessageChange> { record.changes() }

  /// The answer, as soon as it is there.
  ///
  /// It may be asked for more than once. Cancelling the task that waits does not cancel the message.
  /// - Throws: `message-failed`, `message-timed-out`, `message-cancelled`, `message-output-mismatched`.
  public var output: Output {
    get async throws(FrameworkError) { try record.typed(await record.awaited()) }
  }

  /// Cancels it, unless it is over; its handler's task is cancelled too.
  ///
  /// - Returns: Whether it was on its way until now.
  @discardableResult
  public func cancel() -> Bool { queue.cancel(record) }
}

extension MessageRecord {
  /// The answer as what the sender expects.
  func typed<Output>(_ outcome: Outcome) throws(FrameworkError) -> Output {
    let value = try outcome.get()
    guard let typed = value as? Output else {
      throw error(.messageOutputMismatched, values: ["expected": "\(Output.self)", "got": "\(type(of: value))"])
    }
    return typed
  }
}
