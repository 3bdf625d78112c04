import MPaaSLock

/// The sequences of those who listen to a flags client.
final class FlagListeners: Sendable {
  /// The most news that wait for a listener; of more the oldest are lost.
  private static let most = 256
  /// The most failures that wait for the first listener.
  private static let mostEarly = 16

  private struct State {
    var sequences: [Int: AsyncStream<FlagClientEvent>.Continuation] = [:]
    var next = 0
    /// The failures that were told before the first listener came.
    var early: [FlagClientEvent] = []
  }

  private let state = Lock(State())

  deinit {
    for sequence in state.withLock({ Array($0.sequences.values) }) { sequence.finish() }
  }

  /// A new sequence, which begins with `first`; the first of all gets the failures before it, too.
  func sequence(_ first: FlagClientEvent?) -> AsyncStream<FlagClientEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: FlagClientEvent.self, bufferingPolicy: .bufferingNewest(Self.most))
    if let first { continuation.yield(first) }
    let (number, early) = state.withLock { state in
      defer { state.early = [] }
      state.next += 1
      state.sequences[state.next] = continuation
      return (state.next, state.early)
    }
    for event in early { continuation.yield(event) }
    continuation.onTermination = { [weak self] _ in self?.remove(number) }
    return stream
  }

  func tell(_ event: FlagClientEvent) {
    let sequences = state.withLock { state in
      if state.next == 0, case .failed = event, state.early.count < Self.mostEarly { state.early.append(event) }
      return Array(state.sequences.values)
    }
    // Outside of the lock: the end of a sequence takes it.
    for sequence in sequences { sequence.yield(event) }
  }

  private func remove(_ number: Int) { state.withLock { $0.sequences[number] = nil } }
}
