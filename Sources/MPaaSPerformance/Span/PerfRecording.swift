import CPerformance

extension Perf {
  /// A part of the program that was under way for a time.
  public struct Span: Sendable, Hashable {
    /// The number of the span; no other one of this process has it.
    public let number: UInt64
    /// The number of the span around it; nil for none, or where that is no longer kept.
    public let parent: UInt64?
    /// The tag that it was begun with.
    public let tag: String
    /// The time that it began at, since the machine was started.
    public let began: TimeSpan
    /// The length; nil where it had not ended.
    public let duration: TimeSpan?
    /// The system's number of the thread that it began on.
    public let thread: Int
  }

  /// A moment that was noted.
  public struct Mark: Sendable, Hashable {
    /// The tag that it was noted with.
    public let tag: String
    /// The time, since the machine was started.
    public let time: TimeSpan
    /// The number of the span around it; nil for none.
    public let span: UInt64?
    /// The system's number of the thread.
    public let thread: Int
  }

  /// All that threads have recorded and still keep.
  public struct Recording: Sendable {
    /// In the order in which they began.
    public let spans: [Span]
    /// In their order.
    public let marks: [Mark]
  }

  /// The spans and marks that are kept, of all threads.
  ///
  /// Threads may go on recording meanwhile; what they overwrite is left out.
  public static func recorded() -> Recording {
    let entries = ThreadEntries.all()
    var ends: [UInt64: UInt64] = [:]
    for entry in entries where entry.kind == MP_SPAN_END { ends[entry.span] = entry.time }
    let begun = Set(entries.lazy.filter { $0.kind == MP_SPAN_BEGIN }.map(\.span))
    // One look at the clocks for all, so that differences are exact.
    let time = CountClock()
    let spans = entries.filter { $0.kind == MP_SPAN_BEGIN }.map { entry in
      Span(
        number: entry.span, parent: begun.contains(entry.parent) ? entry.parent : nil, tag: entry.tag,
        began: time.moment(entry.time), duration: ends[entry.span].map { time.length(entry.time, $0) },
        thread: entry.thread)
    }
    let marks = entries.filter { $0.kind == MP_SPAN_MARK }.map { entry in
      Mark(
        tag: entry.tag, time: time.moment(entry.time), span: entry.parent == 0 ? nil : entry.parent,
        thread: entry.thread)
    }
    return Recording(spans: spans.sorted { $0.began < $1.began }, marks: marks.sorted { $0.time < $1.time })
  }

  /// The time between the newest marks of two tags; nil where one of them is missing.
  ///
  /// It is negative where the second was noted before the first.
  public static func time(from first: StaticString, to second: StaticString) -> TimeSpan? {
    let marks = recorded().marks
    let tags = (String(describing: first), String(describing: second))
    guard let start = marks.last(where: { $0.tag == tags.0 }), let end = marks.last(where: { $0.tag == tags.1 }) else {
      return nil
    }
    return end.time - start.time
  }
}

/// The processor's count as a time.
private struct CountClock {
  private let first: UInt64
  private let origin: UInt64
  private let ratio: Double

  init() {
    // Far enough apart for the ratio, which the conversion itself looks up.
    let count = mp_span_count()
    first = count
    origin = mp_span_nanoseconds(count)
    let step: UInt64 = 1 << 32
    let later = mp_span_nanoseconds(count &+ step)
    ratio = Double(later > origin ? later - origin : 0) / Double(step)
  }

  func moment(_ count: UInt64) -> TimeSpan {
    let distance = Double(Int64(bitPattern: count &- first)) * ratio
    return .nanoseconds(Int64(origin)) + .nanoseconds(Int64(distance))
  }

  func length(_ from: UInt64, _ to: UInt64) -> TimeSpan {
    .nanoseconds(Int64(Double(Int64(bitPattern: to &- from)) * ratio))
  }
}

/// An entry of a thread's ring.
private struct ThreadEntries {
  let kind: mp_span_kind
  let span: UInt64
  let parent: UInt64
  let tag: String
  let time: UInt64
  let thread: Int

  static func all() -> [ThreadEntries] {
    var found: [ThreadEntries] = []
    var ring = mp_span_rings()
    while let own = ring {
      found += entries(own)
      ring = own.pointee.following
    }
    return found
  }

  private static func entries(_ ring: UnsafeMutablePointer<mp_span_ring>) -> [ThreadEntries] {
    let capacity = UInt64(MP_SPAN_RING)
    let end = mp_span_next(ring)
    let start = end > capacity ? end - capacity : 0
    var copies: [(number: UInt64, entry: mp_span_entry)] = []
    for number in start..<end { copies.append((number, mp_span_at(ring, number))) }
    // What the thread has overwritten meanwhile may be half of one and half of another; one more is being written.
    let after = mp_span_next(ring)
    let valid = after + 1 > capacity ? after + 1 - capacity : 0
    let thread = Int(ring.pointee.tid)
    return copies.filter { $0.number >= valid }.map { ThreadEntries($0.entry, thread: thread) }
  }

  private init(_ entry: mp_span_entry, thread: Int) {
    kind = mp_span_kind(rawValue: UInt32(entry.span >> 62))
    span = entry.span & (1 << 62 - 1)
    parent = entry.parent
    tag = entry.tag.map { String(cString: $0) } ?? ""
    time = entry.time
    self.thread = thread
  }
}
