import NIOCore

/// Times of the engine are nanoseconds of the holder's clock.
enum LinkTime {
  /// The time of what does not come.
  static let never = Int64.max

  /// The lag behind its schedule that a link may lag behind its schedule and still catch up: what is later is not made
  /// up for, so that no window of 100 ms passes more than a fifth above the rate.
  static let lateness: Int64 = 18_000_000

  /// The time whose bytes may pass at once after a pause where nothing else is said.
  static let burst: Int64 = 10_000_000

  static func sum(_ time: Int64, _ duration: Int64) -> Int64 {
    let (sum, overflow) = time.addingReportingOverflow(duration)
    return overflow ? (duration > 0 ? never : .min) : sum
  }
}

extension NIODeadline {
  /// Always before what does not come.
  var link: Int64 { min(Int64(clamping: uptimeNanoseconds), LinkTime.never - 1) }

  /// nil for what does not come.
  init?(link: Int64) {
    guard link != LinkTime.never else { return nil }
    self = .uptimeNanoseconds(UInt64(max(0, link)))
  }
}
