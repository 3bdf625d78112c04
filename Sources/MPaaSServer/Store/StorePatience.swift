import MPaaSDatabase
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tries to reach a server of a database: again and again at the start, and from time to time while it runs.
struct StorePatience {
  /// Seconds for which the start tries.
  private let seconds: Double
  /// Tries in a row that failed, and when the next one may be.
  private var failures = 0
  private var next: ContinuousClock.Instant?

  init(_ seconds: Double) { self.seconds = seconds }

  /// Does `open` until it succeeds, its error is one that does not pass, or the time is over.
  func opened<Value>(_ open: () throws(SQLError) -> Value) throws(SQLError) -> Value {
    let deadline = ContinuousClock.now + .seconds(seconds)
    var tries = 0
    while true {
      do throws(SQLError) {
        return try open()
      } catch {
        tries += 1
        let passes = error.code == .unavailable || error.code == .contention
        guard passes, ContinuousClock.now < deadline else { throw error }
        Self.pause(tries)
      }
    }
  }

  /// Does `open` unless it failed a moment ago: after 0.1 seconds, then twice as long each time, up to 5 seconds.
  ///
  /// - Throws: `database-unavailable` where it is not tried.
  mutating func limited(_ open: () throws(SQLError) -> Void) throws(SQLError) {
    if let next, ContinuousClock.now < next { throw SQLError(.unavailable, ["file": "", "reason": "not connected"]) }
    do throws(SQLError) {
      try open()
      (failures, next) = (0, nil)
    } catch {
      next = ContinuousClock.now + .milliseconds(min(100 << min(failures, 10), 5000))
      failures += 1
      throw error
    }
  }

  /// Waits a time that grows with the tries, up to a second, and is never the same for two.
  static func pause(_ tries: Int) {
    let most = UInt32(min(5 << min(tries, 8), 1000))
    usleep(UInt32.random(in: most / 2...most) * 1000)
  }
}
