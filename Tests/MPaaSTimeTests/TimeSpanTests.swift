import MPaaSTime
import Testing

@Suite("A length of time") struct TimeSpanTests {
  @Test("is the same from each unit, with its sign")
  func units() {
    #expect(TimeSpan.seconds(2) == .milliseconds(2000))
    #expect(TimeSpan.milliseconds(-3) == .microseconds(-3000))
    #expect(TimeSpan.microseconds(1) == .nanoseconds(1000))
    #expect(TimeSpan.seconds(0.25) == .milliseconds(250))
    #expect(TimeSpan.milliseconds(1.5) == .microseconds(1500))
    #expect(TimeSpan.milliseconds(-1500).components == (-1, -500_000_000_000_000_000))
    #expect(TimeSpan.milliseconds(1999).milliseconds == 1999)
  }

  @Test("is counted with as numbers are")
  func arithmetic() {
    #expect(TimeSpan.seconds(1) + .milliseconds(1) - .seconds(2) == .milliseconds(-999))
    #expect(TimeSpan.seconds(3) * 2 == .seconds(6))
    #expect(TimeSpan.seconds(3) * 0.5 == .milliseconds(1500))
    #expect(TimeSpan.seconds(3) / 2 == .milliseconds(1500))
    #expect(TimeSpan.seconds(3) / .milliseconds(1) == 3000)
    #expect(TimeSpan.zero < .nanoseconds(1))
    #expect("\(TimeSpan.milliseconds(1500))" == "1.5 seconds")
  }

  @Test("stays at the longest and shortest where a sum or product is beyond them")
  func limits() {
    let longest = TimeSpan.nanoseconds(Int64.max), shortest = TimeSpan.nanoseconds(Int64.min)
    #expect(TimeSpan.seconds(Int64.max) == longest)
    #expect(TimeSpan.seconds(UInt64.max) == longest)
    #expect(TimeSpan.seconds(-1e300) == shortest)
    #expect(TimeSpan.seconds(Double.infinity) == longest)
    #expect(longest + .seconds(1) == longest)
    #expect(shortest - .seconds(1) == shortest)
    #expect(.zero - shortest == longest)
    #expect(shortest * -1 == longest)
    #expect(longest * -2 == shortest)
  }

  @Test("becomes a duration of the standard library and comes back")
  func durations() {
    for span in [TimeSpan.zero, .seconds(-7), .nanoseconds(1), .milliseconds(12_345_678_901)] {
      #expect(TimeSpan(Duration(span)) == span)
    }
    #expect(TimeSpan(.milliseconds(-1500)) == .milliseconds(-1500))
  }

  @Test("passes between moments, and while a task sleeps")
  func moments() async throws {
    let start = MonotonicInstant.now, awake = TimeSpan.awake
    try await Task.sleep(for: .milliseconds(20))
    let spent = MonotonicInstant.now - start
    #expect(spent >= .milliseconds(20))
    #expect(TimeSpan.awake - awake >= .milliseconds(20))
    #expect(start + spent > start)
  }

  @Test("ends early where the task is cancelled")
  func cancellation() async {
    let task = Task { try await Task.sleep(for: TimeSpan.seconds(3600)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
