#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What time it is, and in which zone; a value, so that a test has days pass.
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
  private var secondOfDay: Int { local - dayNumber * 86_400 }
  private var dayNumber: Int { Int((Double(local) / 86_400).rounded(.down)) }

  /// `2026-01-31`.
  package var day: String {
    let (year, month, day) = Self.civil(dayNumber)
    return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
  }

  /// `09`.
  package var hour: String { Self.padded(secondOfDay / 3600, 2) }

  /// `2026-01-31T09:05:07.015+08:00`.
  package var text: String {
    let milliseconds = Int(((seconds - Double(whole)) * 1000).rounded(.down))
    let zone = abs(offset) / 60
    let sign = offset < 0 ? "-" : "+"
    let clock = [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60].map { Self.padded($0, 2) }
    return "\(day)T\(clock.joined(separator: ":")).\(Self.padded(milliseconds, 3))"
      + "\(sign)\(Self.padded(zone / 60, 2)):\(Self.padded(zone % 60, 2))"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Year, month and day of a day counted from 1970-01-01, in the Gregorian calendar.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    // Years begin in March here, so that the leap day is a year's last; an era has 400 years, 146,097 days.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * ofYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, ofYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
