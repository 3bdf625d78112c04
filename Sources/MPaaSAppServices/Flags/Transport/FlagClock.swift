public import MPaaSTime

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The time, as the flags client knows it; tests put another one in its place.
public struct FlagClock: Sendable {
  /// Seconds since 1970.
  public var now: @Sendable () -> Double
  /// The time since a fixed moment, which setting the clock does not change.
  public var uptime: @Sendable () -> TimeSpan
  /// Waits; the end of the task ends it with an error.
  public var sleep: @Sendable (TimeSpan) async throws -> Void

  /// The moment of now.
  var date: Date { Date(timeIntervalSince1970: now()) }

  /// Creates a clock.
  public init(
    now: @escaping @Sendable () -> Double, uptime: @escaping @Sendable () -> TimeSpan,
    sleep: @escaping @Sendable (TimeSpan) async throws -> Void
  ) {
    self.now = now
    self.uptime = uptime
    self.sleep = sleep
  }

  /// The clock of the system.
  public static let system = FlagClock(
    now: { Date().timeIntervalSince1970 }, uptime: { .awake }, sleep: { try await Task.sleep(for: $0) })
}
