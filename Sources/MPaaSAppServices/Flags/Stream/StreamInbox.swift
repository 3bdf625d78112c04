import MPaaSLock
import MPaaSTime

/// The events of one stream on their way from the thread of the transport to the client.
final class StreamInbox: Sendable {
  /// The most bytes of events that wait for the client.
  static let limit = 4 * EventStreamParser.limit

  private struct State {
    var parser = EventStreamParser()
    var waiting = 0
    var lastByte: TimeSpan
    var isBroken = false
  }

  private let state: Lock<State>
  private let continuation: AsyncStream<ServerSentEvent>.Continuation
  /// The events, in their order; to be gone through once.
  let events: AsyncStream<ServerSentEvent>
  private let clock: FlagClock

  init(_ clock: FlagClock) {
    self.clock = clock
    state = Lock(State(lastByte: clock.uptime()))
    (events, continuation) = AsyncStream.makeStream(of: ServerSentEvent.self)
  }

  /// Takes bytes from the transport.
  ///
  /// - Returns: False where the stream is to be ended: an event is too long, or too many wait.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let time = clock.uptime()
    return state.withLock { state in
      state.lastByte = time
      guard !state.isBroken else { return false }
      var waiting = state.waiting
      let isWhole = state.parser.take(bytes) { event in
        waiting += event.data.count
        continuation.yield(event)
      }
      state.waiting = waiting
      state.isBroken = !isWhole || waiting > Self.limit
      return !state.isBroken
    }
  }

  /// Tells that the client is done with an event.
  func done(_ event: ServerSentEvent) { state.withLock { $0.waiting -= event.data.count } }

  /// Ends the events, after those that came.
  func finish() { continuation.finish() }

  /// Tells whether the server sent what cannot be taken.
  var isBroken: Bool { state.withLock { $0.isBroken } }

  /// The time between attempts that the server asked for.
  var retry: TimeSpan? { state.withLock { $0.parser.retry }.map { .milliseconds($0) } }

  /// Waits until no byte has come for a time.
  ///
  /// - Throws: `CancellationError` where the task ends before.
  func waitForSilence(_ limit: TimeSpan) async throws {
    while true {
      let silence = clock.uptime() - state.withLock { $0.lastByte }
      if silence >= limit { return }
      try await clock.sleep(limit - silence)
    }
  }
}
