extension AttachedLook {
  /// The stacks of all threads, over and over.
  ///
  /// - Parameters:
  ///   - count: How often.
  ///   - interval: Nanoseconds from one look to the next; one that takes longer delays the next.
  ///   - isCancelled: Asked before each look; true ends the sampling early.
  ///   - progress: Called after each look with their number.
  /// - Throws: `CaptureError`, also where the process ended before the first look.
  package func samples(
    _ count: Int, interval: UInt64, isCancelled: @escaping () -> Bool = { false },
    progress: @escaping (Int) -> Void = { _ in }
  ) throws(CaptureError) -> SampleProfile {
    try Self.onThread { () throws(CaptureError) in
      var sampler = try Sampler(process: process, interval: interval)
      defer { sampler.end() }
      for number in 0..<max(count, 0) {
        if number > 0 { sampler.wait() }
        if isCancelled() { break }
        guard sampler.look() else { break }
        progress(number + 1)
      }
      guard sampler.profile.looks > 0 else { throw CaptureError(.ended, process: process) }
      return sampler.profile
    }
  }
}
