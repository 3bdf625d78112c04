/// The schedule of a link that carries so many bits a second: when the next bytes will be through.
struct TokenBucket {
  /// The time when all that was reserved is through; far in the past for a full bucket.
  private var free = Int64.min / 2
  private var rate: Int64 = 0

  /// Takes the next place in the schedule.
  ///
  /// - Parameters:
  ///   - rate: Bits a second, above 0. Another than before holds for what is still to come of earlier places too.
  ///   - burst: How much time's worth may pass at once after a pause.
  ///   - arrival: When the bytes came.
  /// - Returns: When the last of the bytes is through, not before they came: what the burst spares is not taken from
  /// the
  ///   conditions behind.
  mutating func reserve(_ bytes: Int, rate: Int64, burst: Int64, arrival: Int64, now: Int64) -> Int64 {
    if rate != self.rate { changeRate(to: rate, at: now) }
    let earliest = max(arrival - burst, now - max(burst, LinkTime.lateness))
    free = LinkTime.sum(max(free, earliest), Self.duration(of: bytes, at: rate))
    return max(free, arrival)
  }

  private mutating func changeRate(to rate: Int64, at now: Int64) {
    if self.rate > 0, free > now {
      let rest = Double(free - now) * Double(self.rate) / Double(rate)
      free = LinkTime.sum(now, Int64(min(rest, 9e18)))
    }
    self.rate = rate
  }

  /// The time that so many bytes take, to the nearest nanosecond.
  static func duration(of bytes: Int, at rate: Int64) -> Int64 {
    let (high, low) = UInt64(bytes).multipliedFullWidth(by: 8_000_000_000)
    let divisor = UInt64(max(1, rate))
    let (sum, carry) = low.addingReportingOverflow(divisor / 2)
    let upper = high + (carry ? 1 : 0)
    guard upper < divisor else { return LinkTime.never / 4 }
    return Int64(min(divisor.dividingFullWidth((upper, sum)).quotient, UInt64(LinkTime.never / 4)))
  }

  /// The number of bytes that so much time carries, at least 1.
  static func bytes(in time: Int64, at rate: Int64) -> Int {
    Int(max(1, min(Double(rate) * Double(time) / 8e9, 1e15)))
  }
}
