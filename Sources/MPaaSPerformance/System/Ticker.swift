public import MPaaSTime

/// The ticks of a clock that does not drift: the n-th comes n periods after the start.
///
///     for await tick in Ticker(every: .seconds(1)) { show(tick.number) }
///
/// A tick whose time has passed while the one before was being handled comes at once, and those between are left out:
/// `missed` counts them. The machine's sleep counts as time.
public struct Ticker: AsyncSequence, Sendable {
  /// A tick.
  public struct Tick: Sendable, Hashable {
    /// The number of periods since the start.
    public let number: Int
    /// The ticks that were left out before this one.
    public let missed: Int
    /// The time by which it comes late.
    public let lateness: TimeSpan
  }

  private let period: TimeSpan

  /// Creates the ticks of a period, of a millisecond at least.
  public init(every period: TimeSpan) { self.period = Swift.max(period, .milliseconds(1)) }

  /// Begins to tick.
  public func makeAsyncIterator() -> Iterator { Iterator(period: period) }

  /// The ticks to come; they end when the task is cancelled.
  public struct Iterator: AsyncIteratorProtocol {
    private let period: TimeSpan
    private let start = MonotonicInstant.now
    private var number = 0

    init(period: TimeSpan) { self.period = period }

    /// Waits for the next tick; nil when the task is cancelled.
    public mutating func next() async -> Tick? {
      let elapsed = MonotonicInstant.now - start
      let passed = Int(clamping: elapsed.nanoseconds / period.nanoseconds)
      let before = number
      number = Swift.max(number + 1, passed)
      let due = period * number
      while true {
        let left = due - (MonotonicInstant.now - start)
        if left <= .zero { break }
        do { try await Task.sleep(for: left) } catch { return nil }
      }
      if Task.isCancelled { return nil }
      let late = (MonotonicInstant.now - start) - due
      return Tick(number: number, missed: number - before - 1, lateness: Swift.max(late, .zero))
    }
  }
}
