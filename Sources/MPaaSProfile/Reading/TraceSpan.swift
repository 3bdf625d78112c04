/// A begin, an end, or a whole stretch of time of a trace.
package struct TraceSpan: Sendable {
  /// Nanoseconds.
  let start: Int64
  /// nil for a begin or an end that stands alone.
  var duration: Int64?
  /// A row of frames; -1 for ends.
  let frame: Int32
  let isEnd: Bool

  init(start: Int64, duration: Int64?, frame: Int32, isEnd: Bool) {
    self.start = start
    self.duration = duration
    self.frame = frame
    self.isEnd = isEnd
  }

  /// A whole stretch of time.
  ///
  /// - Parameters:
  ///   - start: Nanoseconds, as is the duration; of less than 2^60.
  ///   - frame: A row of the profile's frames.
  package init(start: Int64, duration: Int64, frame: Int) {
    self.init(start: start, duration: duration, frame: Int32(truncatingIfNeeded: frame), isEnd: false)
  }

  /// Appends the samples that the spans of a thread make: one for each stretch of time in which the same ones are open.
  ///
  /// - Returns: False where too many are open at once.
  package static func append(
    _ spans: [TraceSpan], to thread: inout ProfileThread, of profile: inout Profile
  ) -> Bool {
    var open = OpenSpans()
    var ends: [Int64] = []
    for span in paired(spans) {
      while let end = ends.last, end <= span.start {
        _ = open.advance(to: end, true, &thread)
        open.close(profile)
        ends.removeLast()
      }
      guard let duration = span.duration, duration > 0 else { continue }
      _ = open.advance(to: span.start, true, &thread)
      guard open.depth < Profile.deepest else { return false }
      open.open(Int(span.frame), &profile)
      ends.append(min(span.start + duration, ends.last ?? .max))
    }
    while let end = ends.popLast() {
      _ = open.advance(to: end, true, &thread)
      open.close(profile)
    }
    return true
  }

  /// The spans with their durations, by their starts; of those that start together the longest first.
  private static func paired(_ spans: [TraceSpan]) -> [TraceSpan] {
    var whole: [TraceSpan] = []
    whole.reserveCapacity(spans.count)
    var begun: [Int] = []
    let latest = spans.reduce(Int64.min) { max($0, $1.start + ($1.duration ?? 0)) }
    // Ends come before begins of the same time where the file has them so; the sort keeps that order.
    let points = spans.enumerated().filter { $0.element.duration == nil }
      .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
    for (_, point) in points {
      if !point.isEnd {
        begun.append(whole.count)
        whole.append(point)
      } else if let begin = begun.popLast() {
        whole[begin].duration = point.start - whole[begin].start
      }
    }
    // What has no end goes on to the end of the trace.
    for begin in begun { whole[begin].duration = latest - whole[begin].start }
    whole += spans.lazy.filter { $0.duration != nil }
    let isOrdered = zip(whole, whole.dropFirst()).allSatisfy { !precedes($1, $0) }
    if isOrdered { return whole }
    return whole.enumerated().sorted {
      precedes($0.element, $1.element) || (!precedes($1.element, $0.element) && $0.offset < $1.offset)
    }.map(\.element)
  }

  private static func precedes(_ left: TraceSpan, _ right: TraceSpan) -> Bool {
    left.start != right.start ? left.start < right.start : (left.duration ?? 0) > (right.duration ?? 0)
  }
}
