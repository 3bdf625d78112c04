package import NIOCore

/// One direction of a TCP connection under conditions: bytes go in as they come, and come out when they may go on.
///
/// It knows no socket and no clock: whoever holds it says what time it is, so that a test plays an hour in a moment.
/// Not one byte is lost, doubled or put in another place, unless a condition says so (`limitData`, `corruption` with
/// `inStreams`).
package struct StreamShaper {
  /// What the holder is to do.
  package enum Emission: Equatable {
    case bytes(ByteBuffer)
    /// The sender is done: end this direction (FIN).
    case end
    /// Close both directions.
    case close
    /// Close both directions with a reset.
    case reset
  }

  /// Bytes that are held.
  package private(set) var buffered = 0
  private var waiting: [Emission] = []

  package init(_ plan: LinkPlan, at now: NIODeadline) {}

  /// Whether bytes may pass it by: no condition touches them and none are held.
  package var isTransparent: Bool { waiting.isEmpty }

  package mutating func receive(_ bytes: ByteBuffer, at now: NIODeadline) {
    buffered += bytes.readableBytes
    waiting.append(.bytes(bytes))
  }

  /// The sender has ended its direction.
  package mutating func end(at now: NIODeadline) { waiting.append(.end) }

  /// Emits what is due.
  ///
  /// - Returns: When there is more to do; nil where nothing waits for a time.
  package mutating func advance(to now: NIODeadline, emit: (Emission) -> Void) -> NIODeadline? {
    for emission in waiting { emit(emission) }
    waiting.removeAll()
    buffered = 0
    return nil
  }

  /// Puts what comes, and what is held, under other conditions; the order stays.
  package mutating func change(to plan: LinkPlan, at now: NIODeadline) {}

  /// Moves all that is held, and the holder's later bytes with it, by `duration`: later, or earlier where negative.
  package mutating func delayAll(by duration: Duration, at now: NIODeadline) {}
}
