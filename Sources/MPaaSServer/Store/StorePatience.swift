import MPaaSDatabase
import MPaaSSupport
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The times at which a server of rows or blobs is tried: again and again at the start, and from time to time while it is
/// away.
final class StorePatience: Sendable {
  /// Tries in a row that failed, and when the next one may be.
  private struct Turn {
    var failures = 0
    var next: ContinuousClock.Instant?
  }

  /// Seconds for which the start tries.
  private let seconds: Double
  /// The same for all connections: what one of them reaches, the others may try at once.
  private let turn = Mutex(Turn())

  init(_ seconds: Double) { self.seconds = seconds }

  /// Does `open` until it succeeds, its error is one that does not pass, or the time is over.
  func opened<Value, Failure: Error>(
    passes: (Failure) -> Bool, _ open: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let deadline = ContinuousClock.now + .seconds(seconds)
    var tries = 0
    while true {
      do throws(Failure) {
        return try open()
      } catch {
        tries += 1
        guard passes(error), ContinuousClock.now < deadline else { throw error }
        Self.pause(tries)
      }
    }
  }

  /// Does `open` unless it failed a moment ago: after 0.1 seconds, then twice as long each time, up to 5 seconds.
  ///
  /// - Parameter path: The address without its password; for messages.
  /// - Throws: `database-unavailable` where it is not tried.
  func limited(_ path: String, _ open: () throws(SQLError) -> Void) throws(SQLError) {
    let isEarly = turn.withLock { $0.next.map { ContinuousClock.now < $0 } ?? false }
    if isEarly { throw SQLError(.unavailable, ["file": path, "reason": "not connected"]) }
    do throws(SQLError) {
      try open()
      turn.withLock { $0 = Turn() }
    } catch {
      turn.withLock { turn in
        turn.next = ContinuousClock.now + .milliseconds(min(100 << min(turn.failures, 10), 5000))
        turn.failures += 1
      }
      throw error
    }
  }

  /// Waits a time that grows with the tries, up to a second, and is never the same for two.
  static func pause(_ tries: Int) {
    let most = UInt32(min(5 << min(tries, 8), 1000))
    usleep(UInt32.random(in: most / 2...most) * 1000)
  }
}
