import MPaaSSupport

/// The samples of one of V8's profiles: nodes, and microseconds from each to the next.
///
/// A sample weighs the time up to the next one; the last one the time to the end, or as much as the one before it where no
/// end is told.
struct SampledTimes {
  var nodes = CPUProfileNodes()
  private var samples: [Int64] = []
  private var deltas: [Int64] = []
  /// Nanoseconds.
  var start: Int64 = 0
  var end: Int64?

  mutating func take(samples json: inout JSONCursor) throws(ProfileError) {
    try json.array("samples") { (_, json) throws(ProfileError) in samples.append(try json.decimal("samples")) }
  }

  mutating func take(deltas json: inout JSONCursor) throws(ProfileError) {
    try json.array("timeDeltas") { (_, json) throws(ProfileError) in
      deltas.append(try json.decimal("timeDeltas", scale: 3))
    }
  }

  /// Appends the samples to a thread, in the order of their times.
  ///
  /// - Returns: The member that is wrong where one is.
  mutating func append(to thread: inout ProfileThread, of profile: inout Profile) -> String? {
    if samples.isEmpty { return appendHits(to: &thread, of: &profile) }
    guard deltas.count == samples.count else { return "timeDeltas" }
    var times: [Int64] = []
    var time = start
    for delta in deltas {
      time = time.addingSaturating(delta)
      times.append(time)
    }
    // Clocks of several processors let some deltas be negative.
    let order =
      zip(times, times.dropFirst()).allSatisfy(<=)
      ? Array(times.indices) : times.indices.sorted { times[$0] < times[$1] }
    var last: Int64 = 0
    for (place, sample) in order.enumerated() {
      guard let stack = nodes.stack(samples[sample], &profile) else { return "samples" }
      let time = times[sample]
      let next = place + 1 < order.count ? times[order[place + 1]] : end ?? time.addingSaturating(last)
      let (weight, overflow) = next.subtractingReportingOverflow(time)
      guard !overflow else { return "timeDeltas" }
      last = max(0, weight)
      if stack >= 0 { thread.append(stack: stack, weight: last, time: time, state: .onCPU) }
    }
    return nil
  }

  private mutating func appendHits(to thread: inout ProfileThread, of profile: inout Profile) -> String? {
    for (node, count) in nodes.hits {
      guard let stack = nodes.stack(node, &profile) else { return "nodes" }
      if stack >= 0 { thread.append(stack: stack, weight: count) }
    }
    return nil
  }

  var isEmpty: Bool { samples.isEmpty }
}
