/// The samples of a thread one after another in time, for formats in which a sample weighs as long as it lasts.
///
/// Weights in nanoseconds last as long; one of another unit lasts a microsecond. Samples stand at their times where those
/// leave each of them as long as it weighs; else they follow each other without gaps.
struct ProfileTimeline {
  /// Nanoseconds at which each sample begins.
  let starts: [Int64]
  /// Nanoseconds at which the last one ends.
  let end: Int64
  /// Tells whether there are gaps between some samples.
  let hasGaps: Bool
  /// Nanoseconds that a unit lasts.
  let scale: Int64

  /// - Returns: nil where a weight is less than 0, or the sum of all is too great.
  init?(_ thread: ProfileThread, of profile: Profile) {
    let isTime = profile.type.unit == .nanoseconds
    scale = isTime ? 1 : 1000
    let count = profile.types.count
    var starts: [Int64] = []
    starts.reserveCapacity(thread.count)
    var fits = isTime && thread.isTimed
    var time: Int64 = thread.isTimed && isTime ? thread.times.first ?? 0 : 0
    var last = Int64.min
    var sum: Int64 = 0
    for sample in 0..<thread.count {
      let weight = thread.weights[sample &* count &+ profile.shown]
      let (length, tooLong) = weight.multipliedReportingOverflow(by: scale)
      let (next, tooLate) = time.addingReportingOverflow(length)
      guard weight >= 0, !tooLong, !tooLate else { return nil }
      if fits {
        let start = thread.times[sample]
        fits = start >= last
        let (end, isOver) = start.addingReportingOverflow(length)
        fits = fits && !isOver
        last = end
      }
      starts.append(time)
      time = next
      sum = sum &+ length
    }
    guard fits, thread.count > 0 else {
      (self.starts, end, hasGaps) = (starts, time, false)
      return
    }
    (self.starts, end) = (thread.times, last)
    hasGaps = last.subtractingReportingOverflow(thread.times[0]).partialValue > sum
  }
}
