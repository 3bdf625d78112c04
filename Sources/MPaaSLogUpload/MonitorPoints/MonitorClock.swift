import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The time and its zone; a value, so that a test has days pass.
package struct MonitorClock: Sendable {
  /// Seconds since 1970.
  package var now: @Sendable () -> Double
  /// Seconds east of Greenwich at a time.
  package var offset: @Sendable (Double) -> Int

  package init(now: @escaping @Sendable () -> Double, offset: @escaping @Sendable (Double) -> Int = { _ in 0 }) {
    self.now = now
    self.offset = offset
  }

  package static let live = MonitorClock(
    now: {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    },
    offset: { seconds in
      var time = time_t(clamping: Int64(max(min(seconds, 1e15), -1e15)))
      var parts = tm()
      return localtime_r(&time, &parts) == nil ? 0 : Int(parts.tm_gmtoff)
    })
}

/// A time as people read it, by the calendar of their zone.
package struct MonitorTime: Sendable, Hashable {
  package let seconds: Double
  package let offset: Int

  package init(_ seconds: Double, _ clock: MonitorClock) {
    // Years 0 to 9999: whatever a broken clock says, a name of a file comes out.
    self.seconds = min(max(seconds.isFinite ? seconds : 0, -62_167_219_200), 253_402_200_000)
    offset = clock.offset(self.seconds)
  }

  private var whole: Int { Int(seconds.rounded(.down)) }
  private var local: Int { whole + offset }
  private var secondOfDay: Int { CivilDate.at(secondsSince1970: local).second }

  /// `2026-01-31`.
  package var day: String { CivilDate.at(secondsSince1970: local).date.description }

  /// `09`.
  package var hour: String { (secondOfDay / 3600).padded(to: 2) }

  /// `2026-01-31T09:05:07.015+08:00`.
  package var text: String {
    let milliseconds = Int(((seconds - Double(whole)) * 1000).rounded(.down))
    let zone = abs(offset) / 60
    let sign = offset < 0 ? "-" : "+"
    let clock = [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60].map { $0.padded(to: 2) }
    return "\(day)T\(clock.joined(separator: ":")).\(milliseconds.padded(to: 3))"
      + "\(sign)\((zone / 60).padded(to: 2)):\((zone % 60).padded(to: 2))"
  }
}
