import MPaaSLock
import MPaaSTime

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Records what happens during the start and after, with begin, duration, thread and what it happened within.
///
/// It keeps the first spans up to its capacity and counts the others. With `MPAAS_TRACE=FILE` in the environment the
/// trace is written there after the start, when all asynchronous modules are done, and at the end; `write(to:)` writes
/// it by call. May be used from any thread.
public final class TraceRecorder: Sendable {
  /// The file that `flush` writes; nil for none.
  public let output: String?
  let clock: MonotonicClock
  private let capacity: Int
  private let state = Lock(State())

  private struct State {
    var spans: [TraceSpan] = []
    var dropped = 0
    var threads: [UInt: Int] = [:]

    mutating func thread() -> Int {
      let key = currentThread()
      if let known = threads[key] { return known }
      threads[key] = threads.count + 1
      return threads.count
    }
  }

  /// The span that the running code belongs to.
  @TaskLocal private static var current: Open?

  private struct Open: Sendable {
    let recorder: ObjectIdentifier
    let id: Int
  }

  /// Creates a recorder that takes times by the system's clock, which rests while the machine sleeps.
  ///
  /// - Parameters:
  ///   - capacity: How many spans are kept.
  ///   - output: The file that `flush` writes.
  public convenience init(capacity: Int = 16_384, output: String? = nil) {
    self.init(MonotonicClock(), capacity: capacity, output: output)
  }

  /// - Parameters:
  ///   - clock: What times are taken by; a stopped one in tests.
  ///   - capacity: How many spans are kept.
  ///   - output: The file that `flush` writes.
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public convenience init(clock: some Clock<Duration>, capacity: Int = 16_384, output: String? = nil) {
    self.init(MonotonicClock(clock), capacity: capacity, output: output)
  }

  private init(_ clock: MonotonicClock, capacity: Int, output: String?) {
    self.clock = clock
    self.capacity = capacity
    self.output = output
    state.withLock { _ = $0.thread() }
  }

  /// A recorder that writes the file that `MPAAS_TRACE` names.
  public static func live() -> TraceRecorder {
    TraceRecorder(output: ProcessInfo.processInfo.environment["MPAAS_TRACE"].flatMap { $0.isEmpty ? nil : $0 })
  }

  /// The recorded spans, in the order of the beginnings.
  public var spans: [TraceSpan] { state.withLock { $0.spans } }

  /// The number of spans that were not kept, since there were too many.
  public var dropped: Int { state.withLock { $0.dropped } }

  /// Records `body` as a span within the one that is running.
  @discardableResult
  public func measure<Value, Failure: Error>(
    _ kind: TraceKind, _ subject: String, phase: String = "", at place: SourcePlace? = nil,
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try measure(kind, .text(subject), phase: phase, at: place, body)
  }

  /// Records `body` with all that it waits for as a span within the one that is running.
  @discardableResult
  public nonisolated(nonsending) func measure<Result>(
    _ kind: TraceKind, _ subject: String, phase: String = "", at place: SourcePlace? = nil,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await measure(kind, .text(subject), phase: phase, at: place, body)
  }
}

extension TraceRecorder {
  func measure<Value, Failure: Error>(
    _ kind: TraceKind, _ label: TraceLabel, phase: String, at place: SourcePlace? = nil,
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let span = begin(kind, label, phase: phase, at: place) else { return try body() }
    let result = Self.$current.withValue(Open(recorder: ObjectIdentifier(self), id: span)) {
      Result { () throws(Failure) in try body() }
    }
    if case .failure(let error) = result { end(span, error: error) } else { end(span) }
    return try result.get()
  }

  nonisolated(nonsending) func measure<Result>(
    _ kind: TraceKind, _ label: TraceLabel, phase: String, at place: SourcePlace? = nil,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    guard let span = begin(kind, label, phase: phase, at: place) else { return try await body() }
    do {
      let result = try await Self.$current.withValue(Open(recorder: ObjectIdentifier(self), id: span)) {
        try await body()
      }
      end(span)
      return result
    } catch {
      end(span, error: error)
      throw error
    }
  }

  /// Records what is over already.
  func record(
    _ kind: TraceKind, _ label: TraceLabel, phase: String, at place: SourcePlace?, start: TimeSpan, duration: TimeSpan,
    error: (any Error)?
  ) {
    guard let span = begin(kind, label, phase: phase, at: place, start: start) else { return }
    let text = error.map { "\($0)" }
    state.withLock { state in
      state.spans[span - 1].duration = duration
      state.spans[span - 1].error = text
    }
  }

  /// The span's number; nil where no more are kept.
  private func begin(
    _ kind: TraceKind, _ label: TraceLabel, phase: String, at place: SourcePlace?, start: TimeSpan? = nil
  ) -> Int? {
    let open = Self.current
    let parent = open?.recorder == ObjectIdentifier(self) ? open?.id : nil
    let start = start ?? clock.now()
    return state.withLock { state in
      guard state.spans.count < capacity else {
        state.dropped += 1
        return nil
      }
      let id = state.spans.count + 1
      state.spans.append(
        TraceSpan(
          id: id, parent: parent, kind: kind, phase: phase, place: place, start: start, thread: state.thread(),
          label: label))
      return id
    }
  }

  private func end(_ span: Int, error: (any Error)? = nil) {
    let end = clock.now()
    let text = error.map { "\($0)" }
    state.withLock { state in
      state.spans[span - 1].duration = end - state.spans[span - 1].start
      state.spans[span - 1].error = text
    }
  }
}
