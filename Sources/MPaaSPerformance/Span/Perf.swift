public import CPerformance

/// Spans and marks: how long parts of the program take.
///
///     Perf.isRecording = true
///     let page = Perf.span("parse") { parse(bytes) }
///     let user = await Perf.span("load user") { await load(id) }
///     for span in Perf.recorded().spans { print(span) }
///
/// While nothing is recorded a span costs a few nanoseconds. Tags are literals: a recording keeps where they are, not their
/// text. Each thread keeps its newest 8,192 entries.
public enum Perf {
  /// Tells whether spans and marks are recorded; false at first.
  @inlinable public static var isRecording: Bool {
    get { mp_spans_are_on() }
    set { mp_spans_set(newValue) }
  }

  /// The span around the present task.
  @TaskLocal @usableFromInline static var taskSpan: UInt64 = 0

  /// The span that one beginning now lies in.
  @inlinable static var around: UInt64 {
    let own = mp_span_current()
    return own != 0 ? own : taskSpan
  }

  /// A span that has begun.
  public struct Entered: Sendable, Hashable {
    @usableFromInline let span: UInt64

    @usableFromInline init(span: UInt64) { self.span = span }
  }

  /// Does some work within a span.
  @inlinable
  public static func span<Result, Failure: Error>(
    _ tag: StaticString, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard mp_spans_are_on() else { return try work() }
    let span = mp_span_begin(tag.spanTag, around)
    let before = mp_span_enter(span)
    defer {
      mp_span_leave(span, before)
      mp_span_end(span)
    }
    return try work()
  }

  /// The same for work that may wait: what it begins in its task, on whatever thread, lies within this span.
  public static func span<Result>(
    _ tag: StaticString, isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Result
  ) async rethrows -> Result {
    guard mp_spans_are_on() else { return try await work() }
    let span = mp_span_begin(tag.spanTag, around)
    defer { mp_span_end(span) }
    return try await $taskSpan.withValue(span, operation: work, isolation: isolation)
  }

  /// Begins a span that ends elsewhere: on another thread, in another function.
  @inlinable
  public static func enter(_ tag: StaticString) -> Entered {
    Entered(span: mp_spans_are_on() ? mp_span_begin(tag.spanTag, around) : 0)
  }

  /// Ends a span.
  @inlinable
  public static func leave(_ entered: Entered) { mp_span_end(entered.span) }

  /// Notes a moment.
  @inlinable
  public static func mark(_ tag: StaticString) { mp_span_mark(tag.spanTag) }
}

extension StaticString {
  /// The text where it lies in the program.
  @inlinable var spanTag: UnsafePointer<CChar> {
    UnsafeRawPointer(hasPointerRepresentation ? utf8Start : Self.noTag.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  @usableFromInline static let noTag: StaticString = "?"
}
