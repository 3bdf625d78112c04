import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Both clocks of the device at one moment.
public struct LogMoment: Sendable, Hashable {
  /// Nanoseconds since 1970-01-01 UTC.
  public var wall: Int64
  /// Nanoseconds since the device started.
  public var monotonic: UInt64

  /// Makes a moment from the times of both clocks, in nanoseconds.
  public init(wall: Int64, monotonic: UInt64) {
    self.wall = wall
    self.monotonic = monotonic
  }
}

/// The source of a writer's time; tests put another one in its place.
public struct LogClock: Sendable {
  /// Reads both clocks; called for each record, on the thread that logs it.
  public var now: @Sendable () -> LogMoment

  /// Makes a clock from a closure that reads the time.
  public init(now: @escaping @Sendable () -> LogMoment) {
    self.now = now
  }

  /// The device's clocks.
  public static let live = LogClock { LogMoment(wall: Int64(time(CLOCK_REALTIME)), monotonic: time(sinceStart)) }

  #if os(Linux)
    private static let sinceStart = CLOCK_BOOTTIME
  #else
    private static let sinceStart = CLOCK_MONOTONIC
  #endif

  private static func time(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(bitPattern: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
  }
}

/// Makes times of both clocks: the monotonic one plus how far the other is ahead.
///
/// The difference is kept until it changes by a millisecond, so that records hold one number more, not two.
struct ClockFollower {
  /// From here on it is a jump, not the clock being set right by and by.
  static let jump: Int64 = 1_000_000_000
  private static let tolerance: Int64 = 1_000_000

  private var ahead: Int64?

  /// The time of a record to the microsecond, and whether it follows a jump.
  @inline(__always)
  mutating func stamp(_ moment: LogMoment) -> (time: Int64, monotonic: UInt64, isJump: Bool) {
    let monotonic = moment.monotonic / 1000 &* 1000
    let now = moment.wall &- Int64(bitPattern: monotonic)
    if let ahead {
      let change = now &- ahead
      if change > -Self.tolerance, change < Self.tolerance {
        return (Int64(bitPattern: monotonic) &+ ahead, monotonic, false)
      }
      let rounded = now / 1000 &* 1000
      self.ahead = rounded
      return (Int64(bitPattern: monotonic) &+ rounded, monotonic, change >= Self.jump || change <= -Self.jump)
    }
    let rounded = now / 1000 &* 1000
    ahead = rounded
    return (Int64(bitPattern: monotonic) &+ rounded, monotonic, false)
  }
}

/// Tells starts of the device apart.
enum BootNumber {
  /// The number of this start.
  static let current: UInt64 = {
    #if canImport(Darwin)
      var size = 64
      var text = [UInt8](repeating: 0, count: 64)
      guard sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else { return 1 }
      return number(text.prefix { $0 != 0 })
    #else
      let text = try? Bytes.reading("/proc/sys/kernel/random/boot_id", limit: 36)
      guard let text, text.count > 0 else { return 1 }
      return number(text.array.prefix(36))
    #endif
  }()

  /// FNV-1a, so that what it says is short and the same in all processes; never 0.
  private static func number(_ text: some Sequence<UInt8>) -> UInt64 {
    max(text.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, 1)
  }
}
