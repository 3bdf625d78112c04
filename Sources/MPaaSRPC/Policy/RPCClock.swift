#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The time and the chance that a client goes by; tests put others in their place.
public struct RPCClock: Sendable {
  /// Seconds since 1970.
  public var now: @Sendable () -> Double
  /// The time since a fixed moment, which setting the clock does not change.
  public var uptime: @Sendable () -> TimeSpan
  /// Waits; the end of the task ends it with an error.
  public var sleep: @Sendable (TimeSpan) async throws -> Void
  /// A number from 0 up to, not including, 1.
  public var chance: @Sendable () -> Double

  /// Creates a clock.
  public init(
    now: @escaping @Sendable () -> Double, uptime: @escaping @Sendable () -> TimeSpan,
    sleep: @escaping @Sendable (TimeSpan) async throws -> Void, chance: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.uptime = uptime
    self.sleep = sleep
    self.chance = chance
  }

  /// The clock of the system.
  public static let system = RPCClock(
    now: { Date().timeIntervalSince1970 }, uptime: { .awake }, sleep: { try await Task.sleep(for: $0) },
    chance: { Double.random(in: 0..<1) })
}
