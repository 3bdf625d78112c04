import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The lead of a place's clocks over UTC; remembers the last answer, since lines come in order.
package struct LogZone: Sendable, Equatable {
  package enum Place: Sendable, Equatable {
    case utc
    /// The zone of this machine, by `TZ` or its settings.
    case local
  }

  package let place: Place
  private var hour = Int64.min
  private var known: Int64 = 0

  package init(_ place: Place) { self.place = place }

  /// Seconds ahead of UTC at a time in seconds since 1970.
  package mutating func offset(at seconds: Int64) -> Int64 {
    guard place == .local else { return 0 }
    // No place changes its clock but at a quarter of an hour.
    let quarter = seconds >= 0 ? seconds / 900 : (seconds - 899) / 900
    if quarter == hour { return known }
    var time = time_t(seconds)
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return 0 }
    hour = quarter
    known = Int64(parts.tm_gmtoff)
    return known
  }

  /// The time, in seconds since 1970, at which clocks there show so many seconds since 1970.
  package mutating func seconds(shown: Int64) -> Int64 {
    guard place == .local else { return shown }
    let guess = shown - offset(at: shown)
    return shown - offset(at: guess)
  }
}

/// Days that points in time in nanoseconds can lie in.
package enum LogDay {
  /// Days from 1970-01-01; nil where there is no such day.
  package static func number(year: Int, month: Int, day: Int) -> Int64? {
    guard years.contains(year) else { return nil }
    return CivilDate(year: year, month: month, day: day).map { Int64($0.daysSince1970) }
  }

  /// Those of which nanoseconds since 1970 fit into 64 bits.
  private static let years = 1678...2261
}

extension LogZone {
  /// Appends a time as RFC 3339 has it: `2026-01-01T00:00:00.015+08:00`.
  ///
  /// - Parameters:
  ///   - time: Nanoseconds since 1970-01-01 UTC.
  ///   - digits: Of the part of a second: 3, 6 or 9; nil for as many as it needs, at least 3.
  package mutating func append(_ time: Int64, digits: Int? = 3, to text: inout [UInt8]) {
    var seconds = time / 1_000_000_000
    var nanoseconds = time % 1_000_000_000
    if nanoseconds < 0 {
      nanoseconds += 1_000_000_000
      seconds -= 1
    }
    let offset = offset(at: seconds)
    let shown = seconds + offset
    let (date, second) = CivilDate.at(secondsSince1970: Int(shown))
    Self.append(date.year, 4, &text)
    text.append(UInt8(ascii: "-"))
    Self.append(date.month, 2, &text)
    text.append(UInt8(ascii: "-"))
    Self.append(date.day, 2, &text)
    text.append(UInt8(ascii: "T"))
    Self.append(second / 3600, 2, &text)
    text.append(UInt8(ascii: ":"))
    Self.append(second / 60 % 60, 2, &text)
    text.append(UInt8(ascii: ":"))
    Self.append(second % 60, 2, &text)
    text.append(UInt8(ascii: "."))
    let needed = nanoseconds % 1_000_000 == 0 ? 3 : nanoseconds % 1000 == 0 ? 6 : 9
    switch digits ?? needed {
    case 3: Self.append(Int(nanoseconds / 1_000_000), 3, &text)
    case 6: Self.append(Int(nanoseconds / 1000), 6, &text)
    default: Self.append(Int(nanoseconds), 9, &text)
    }
    guard place == .local else {
      text.append(UInt8(ascii: "Z"))
      return
    }
    text.append(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    Self.append(Int(abs(offset) / 3600), 2, &text)
    text.append(UInt8(ascii: ":"))
    Self.append(Int(abs(offset) / 60 % 60), 2, &text)
  }

  private static func append(_ number: Int, _ digits: Int, _ text: inout [UInt8]) {
    var divisor = 1
    for _ in 1..<digits { divisor *= 10 }
    while divisor > 0 {
      text.append(UInt8(truncatingIfNeeded: 0x30 + number / divisor % 10))
      divisor /= 10
    }
  }
}
