import Synchronization

/// The bandwidth that the connections of a proxy share.
///
/// Each link that has something to send takes one small place in the schedule and the next one only when that is
/// through, so all that wait get the same share, on whatever threads they are.
package final class SharedBucket: Sendable {
  private let bucket = Mutex(TokenBucket())

  package init() {}

  func reserve(_ bytes: Int, rate: Int64, burst: Int64, arrival: Int64, now: Int64) -> Int64 {
    bucket.withLock { $0.reserve(bytes, rate: rate, burst: burst, arrival: arrival, now: now) }
  }
}
