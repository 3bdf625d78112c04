/// Recursion in a stack: a run of calls that repeats itself.
enum StackCycle {
  /// A stretch of calls that repeats with a period, at least twice in a row.
  struct Run: Equatable {
    let range: Range<Int>
    let period: Int
  }

  /// The longest period that is looked for; what recurs over more calls than this is left as it is.
  static let longestPeriod = 8

  /// The runs of a stack from its innermost call out, none overlapping another; the shortest period counts.
  static func runs<Key: Equatable>(in keys: [Key]) -> [Run] {
    var runs: [Run] = []
    var index = 0
    while index < keys.count {
      if let run = longestRun(in: keys, at: index) {
        runs.append(run)
        index = run.range.upperBound
      } else {
        index += 1
      }
    }
    return runs
  }

  private static func longestRun<Key: Equatable>(in keys: [Key], at start: Int) -> Run? {
    for period in 1...longestPeriod where start + 2 * period <= keys.count {
      var end = start + period
      while end < keys.count, keys[end] == keys[end - period] { end += 1 }
      if end - start >= 2 * period { return Run(range: start..<end, period: period) }
    }
    return nil
  }

  /// One turn of a run, begun where it gives the least sequence: where a stack was cut in a ring of calls is chance.
  static func turn<Key: Comparable>(of run: Run, in keys: [Key]) -> Range<Int> {
    let first = run.range.lowerBound
    var best = first
    for candidate in first..<first + run.period {
      for step in 0..<run.period {
        // The run is at least two turns long, so both places lie inside it.
        let (left, right) = (keys[candidate + step], keys[best + step])
        if left == right { continue }
        if left < right { best = candidate }
        break
      }
    }
    return best..<best + run.period
  }
}
