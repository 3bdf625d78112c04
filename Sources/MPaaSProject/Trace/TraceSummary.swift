/// The costs of a start by what was done: of one trace, or the middle of several of the same app.
package struct TraceSummary: Sendable {
  /// The key by which spans of several traces are the same.
  package struct Key: Hashable, Sendable {
    package let kind: String
    package let subject: String
    package let phase: String
  }

  package struct Entry: Sendable {
    package let key: Key
    /// Nanoseconds from the first begin of the trace; the first where there are several.
    package let start: Int64
    /// Nanoseconds, the sum where a trace has several; the middle of the traces.
    package let duration: Int64
    /// `duration` without what is within it on the same thread.
    package let own: Int64
    package let count: Int
    package let place: String?
    package let thread: String
    package let error: String?
  }

  /// In the order of their begin.
  package let entries: [Entry]
  /// Nanoseconds: the launch of the framework, or from the first begin to the last end; the middle of the traces.
  package let total: Int64
  package let files: [String]
  package let process: String?
  package let dropped: Int

  /// - Parameter traces: At least one; more are runs of the same app.
  package init(_ traces: [TraceFile]) {
    files = traces.map(\.file)
    process = traces.lazy.compactMap(\.process).first
    dropped = traces.map(\.dropped).max() ?? 0
    total = Self.middle(traces.map { $0.launch?.duration ?? $0.total })
    var order: [Key] = []
    var sums: [Key: [Sum]] = [:]
    for trace in traces {
      for (key, sum) in Self.sums(of: trace) {
        if sums[key] == nil { order.append(key) }
        sums[key, default: []].append(sum)
      }
    }
    entries = order.compactMap { key in
      guard let all = sums[key], let first = all.first else { return nil }
      return Entry(
        key: key, start: Self.middle(all.map(\.start)), duration: Self.middle(all.map(\.duration)),
        own: Self.middle(all.map(\.own)), count: first.count, place: first.place, thread: first.thread,
        error: all.lazy.compactMap(\.error).first)
    }.sorted { $0.start < $1.start }
  }

  private struct Sum {
    var start: Int64
    var duration: Int64 = 0
    var own: Int64 = 0
    var count = 0
    var place: String?
    var thread: String
    var error: String?
  }

  private static func sums(of trace: TraceFile) -> [(Key, Sum)] {
    var own = trace.spans.map(\.duration)
    for span in trace.spans {
      guard let parent = span.parent, trace.spans[parent].thread == span.thread,
        trace.spans[parent].end >= span.end
      else { continue }
      // Only files that no recorder wrote have parts that are longer than the whole.
      own[parent] -= min(own[parent], span.duration)
    }
    let first = trace.spans.first?.start ?? 0
    var order: [Key] = []
    var sums: [Key: Sum] = [:]
    for (index, span) in trace.spans.enumerated() {
      let key = Key(kind: span.kind, subject: span.subject, phase: span.phase)
      if sums[key] == nil { order.append(key) }
      let thread = trace.threads[span.thread] ?? "\(span.thread)"
      var sum = sums[key] ?? Sum(start: span.start - first, place: span.place, thread: thread)
      sum.duration = Self.sum(sum.duration, span.duration)
      sum.own = Self.sum(sum.own, own[index])
      sum.count += 1
      sum.error = sum.error ?? span.error
      sums[key] = sum
    }
    return order.compactMap { key in sums[key].map { (key, $0) } }
  }

  /// The sum of two times, neither below 0; as much as fits.
  private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  /// The upper one of two in the middle.
  static func middle(_ values: [Int64]) -> Int64 {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }
}

/// The changes between two sets of traces.
package struct TraceComparison: Sendable {
  package struct Change: Sendable {
    package let key: TraceSummary.Key
    /// Nanoseconds; nil where it was not there.
    package let before: Int64?
    package let after: Int64?

    package var difference: Int64 { (after ?? 0) - (before ?? 0) }
  }

  /// The changes, by the time that they cost: what became slower first, the most first; then what became faster, the
  /// least first.
  package let changes: [Change]
  package let before: TraceSummary
  package let after: TraceSummary

  package init(before: TraceSummary, after: TraceSummary) {
    self.before = before
    self.after = after
    var durations: [TraceSummary.Key: (Int64?, Int64?)] = [:]
    for entry in before.entries { durations[entry.key, default: (nil, nil)].0 = entry.duration }
    for entry in after.entries { durations[entry.key, default: (nil, nil)].1 = entry.duration }
    changes = durations.map { Change(key: $0.key, before: $0.value.0, after: $0.value.1) }.sorted { left, right in
      if left.difference != right.difference { return left.difference > right.difference }
      return (left.key.subject, left.key.phase, left.key.kind) < (right.key.subject, right.key.phase, right.key.kind)
    }
  }

  /// By how much the whole grew, in per cent; nil where nothing was there before.
  package var growth: Double? {
    before.total > 0 ? Double(after.total - before.total) / Double(before.total) * 100 : nil
  }
}
