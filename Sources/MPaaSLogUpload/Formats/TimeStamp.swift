import MPaaSSupport

/// A time that stands in a line, and where it ends.
package struct TimeStamp {
  /// Nanoseconds since 1970-01-01 UTC.
  package var time: Int64
  /// The first byte behind it.
  package var end: Int
}

/// The facts needed to read a time that says too little: no year, no zone.
package struct TimeStampReader: Sendable {
  package var zone: LogZone
  /// Stamps without a year are of the last year in which they do not lie more than a day behind this time (seconds
  /// since 1970), at which the file was written last.
  package var reference: Int64

  package init(zone: LogZone, reference: Int64) {
    self.zone = zone
    self.reference = reference
  }

  package typealias Line = UnsafeRawBufferPointer

  /// Reads the time that begins at `start`; nil where none does.
  package mutating func stamp(_ line: Line, at start: Int) -> TimeStamp? {
    guard line.count - start >= 10 else { return nil }
    let first = line[start]
    guard first.isDigit else { return first >= 0x41 ? syslog(line, start) : nil }
    if line[start + 1].isDigit, line[start + 2].isDigit, line[start + 3].isDigit {
      let separator = line[start + 4]
      if separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/") { return iso(line, start, separator) }
      return epoch(line, start)
    }
    if line[start + 2] == UInt8(ascii: "-") { return withoutYear(line, start) }
    if line[start + 2] == UInt8(ascii: "/") { return common(line, start) }
    return nil
  }

  /// `2026-01-01T00:00:00.015+08:00` (RFC 3339), with a space, commas, slashes or no zone too; and xlog's
  /// `2026-01-01 +8.0 00:00:00.015`.
  private mutating func iso(_ line: Line, _ start: Int, _ separator: UInt8) -> TimeStamp? {
    guard line.count - start >= 19, let year = line.number(start, 4), let month = line.number(start + 5, 2),
      line[start + 7] == separator, let day = line.number(start + 8, 2),
      let days = LogDay.number(year: year, month: month, day: day)
    else { return nil }
    var place = start + 10
    guard line[place] == UInt8(ascii: "T") || line[place] == UInt8(ascii: " ") || line[place] == UInt8(ascii: "t")
    else { return nil }
    place += 1
    var hours: Int64?
    if line[place] == UInt8(ascii: "+") || line[place] == UInt8(ascii: "-") {
      guard let zone = Self.decimalZone(line, &place) else { return nil }
      hours = zone
    }
    guard let clock = Self.clock(line, &place) else { return nil }
    let shown = days * 86_400 + clock.seconds
    let ahead = hours ?? Self.zone(line, &place)
    let seconds = ahead.map { shown - $0 } ?? zone.seconds(shown: shown)
    return TimeStamp(time: seconds * 1_000_000_000 + clock.nanoseconds, end: place)
  }

  /// `+8.0 `, hours ahead of UTC, as seconds.
  private static func decimalZone(_ line: Line, _ place: inout Int) -> Int64? {
    let isBehind = line[place] == UInt8(ascii: "-")
    place += 1
    var tenths: Int64 = 0
    let start = place
    while place < line.count, line[place].isDigit, place - start < 2 {
      tenths = tenths * 10 + Int64(line[place] - 0x30)
      place += 1
    }
    guard place > start, place + 2 < line.count, line[place] == UInt8(ascii: "."), line[place + 1].isDigit,
      line[place + 2] == UInt8(ascii: " ")
    else { return nil }
    tenths = tenths * 10 + Int64(line[place + 1] - 0x30)
    place += 3
    return tenths * 360 * (isBehind ? -1 : 1)
  }

  /// `00:00:00` and the part of a second after it.
  private static func clock(_ line: Line, _ place: inout Int) -> (seconds: Int64, nanoseconds: Int64)? {
    guard line.count - place >= 8, let hour = line.number(place, 2), line[place + 2] == UInt8(ascii: ":"),
      let minute = line.number(place + 3, 2), line[place + 5] == UInt8(ascii: ":"),
      let second = line.number(place + 6, 2), hour < 24, minute < 60, second <= 60
    else { return nil }
    place += 8
    return (Int64(hour * 3600 + minute * 60 + second), fraction(line, &place))
  }

  /// The digits behind a dot, comma or colon, as nanoseconds.
  private static func fraction(_ line: Line, _ place: inout Int) -> Int64 {
    guard place + 1 < line.count, line[place + 1].isDigit else { return 0 }
    let mark = line[place]
    guard mark == UInt8(ascii: ".") || mark == UInt8(ascii: ",") || mark == UInt8(ascii: ":") else { return 0 }
    place += 1
    var value: Int64 = 0
    var digits = 0
    while place < line.count, line[place].isDigit {
      if digits < 9 {
        value = value * 10 + Int64(line[place] - 0x30)
        digits += 1
      }
      place += 1
    }
    while digits < 9 {
      value *= 10
      digits += 1
    }
    return value
  }

  /// `Z`, `+08:00`, `+0800`, also behind a space; nil where there is none.
  private static func zone(_ line: Line, _ place: inout Int) -> Int64? {
    guard place < line.count else { return nil }
    var at = place
    if line[at] == UInt8(ascii: "Z") || line[at] == UInt8(ascii: "z") {
      place += 1
      return 0
    }
    if line[at] == UInt8(ascii: " ") { at += 1 }
    guard line.count - at >= 5, line[at] == UInt8(ascii: "+") || line[at] == UInt8(ascii: "-"),
      let hours = line.number(at + 1, 2)
    else { return nil }
    let hasColon = line[at + 3] == UInt8(ascii: ":")
    guard let minutes = line.number(at + (hasColon ? 4 : 3), 2), hours <= 18, minutes < 60 else { return nil }
    place = at + (hasColon ? 6 : 5)
    return Int64(hours * 3600 + minutes * 60) * (line[at] == UInt8(ascii: "-") ? -1 : 1)
  }

  /// `01-31 00:00:00.015`, as logcat writes it.
  private mutating func withoutYear(_ line: Line, _ start: Int) -> TimeStamp? {
    guard line.count - start >= 14, let month = line.number(start, 2), let day = line.number(start + 3, 2),
      line[start + 5] == UInt8(ascii: " ")
    else { return nil }
    var place = start + 6
    guard let clock = Self.clock(line, &place) else { return nil }
    return dated(month, day, clock, end: place)
  }

  /// `Oct 11 22:14:15`, as RFC 3164 section 4.1.2 has it.
  private mutating func syslog(_ line: Line, _ start: Int) -> TimeStamp? {
    guard line.count - start >= 15, let month = Self.month(line, start), line[start + 3] == UInt8(ascii: " "),
      line[start + 6] == UInt8(ascii: " ")
    else { return nil }
    let day = line[start + 4] == UInt8(ascii: " ") ? line.number(start + 5, 1) : line.number(start + 4, 2)
    var place = start + 7
    guard let day, let clock = Self.clock(line, &place) else { return nil }
    return dated(month, day, clock, end: place)
  }

  private mutating func dated(
    _ month: Int, _ day: Int, _ clock: (seconds: Int64, nanoseconds: Int64), end: Int
  ) -> TimeStamp? {
    let year = CivilDate(daysSince1970: Int(reference / 86_400)).year
    // A leap day is of the last leap year.
    for candidate in [year + 1, year, year - 1, year - 2, year - 3, year - 4] {
      guard let days = LogDay.number(year: candidate, month: month, day: day) else { continue }
      let seconds = zone.seconds(shown: days * 86_400 + clock.seconds)
      if seconds <= reference + 86_400 {
        return TimeStamp(time: seconds * 1_000_000_000 + clock.nanoseconds, end: end)
      }
    }
    return nil
  }

  /// `10/Oct/2000:13:55:36 -0700`, as web servers write it.
  private mutating func common(_ line: Line, _ start: Int) -> TimeStamp? {
    guard line.count - start >= 20, let day = line.number(start, 2), let month = Self.month(line, start + 3),
      line[start + 6] == UInt8(ascii: "/"), let year = line.number(start + 7, 4),
      line[start + 11] == UInt8(ascii: ":"), let days = LogDay.number(year: year, month: month, day: day)
    else { return nil }
    var place = start + 12
    guard let clock = Self.clock(line, &place) else { return nil }
    let shown = days * 86_400 + clock.seconds
    let ahead = Self.zone(line, &place)
    let seconds = ahead.map { shown - $0 } ?? zone.seconds(shown: shown)
    return TimeStamp(time: seconds * 1_000_000_000 + clock.nanoseconds, end: place)
  }

  /// Seconds or milliseconds since 1970, of this century so far.
  private func epoch(_ line: Line, _ start: Int) -> TimeStamp? {
    var place = start
    var value: Int64 = 0
    while place < line.count, line[place].isDigit, place - start < 14 {
      value = value * 10 + Int64(line[place] - 0x30)
      place += 1
    }
    switch place - start {
    case 10:
      guard value >= 946_684_800, value < 4_102_444_800 else { return nil }
      let part = Self.fraction(line, &place)
      guard Self.isEnd(line, place) else { return nil }
      return TimeStamp(time: value * 1_000_000_000 + part, end: place)
    case 13:
      guard value >= 946_684_800_000, value < 4_102_444_800_000, Self.isEnd(line, place) else { return nil }
      return TimeStamp(time: value * 1_000_000, end: place)
    default: return nil
    }
  }

  private static func isEnd(_ line: Line, _ place: Int) -> Bool {
    place >= line.count || [0x20, 0x09, UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: "|")].contains(line[place])
  }

  private static func month(_ line: Line, _ start: Int) -> Int? {
    let word = UInt32(line[start]) << 16 | UInt32(line[start + 1]) << 8 | UInt32(line[start + 2])
    switch word {
    case 0x4a616e: return 1
    case 0x466562: return 2
    case 0x4d6172: return 3
    case 0x417072: return 4
    case 0x4d6179: return 5
    case 0x4a756e: return 6
    case 0x4a756c: return 7
    case 0x417567: return 8
    case 0x536570: return 9
    case 0x4f6374: return 10
    case 0x4e6f76: return 11
    case 0x446563: return 12
    default: return nil
    }
  }
}

extension UInt8 {
  @inlinable package var isDigit: Bool { self &- 0x30 < 10 }
}

extension UnsafeRawBufferPointer {
  /// The number that `digits` bytes spell; nil where one is no digit, or not there.
  @inline(__always)
  func number(_ start: Int, _ digits: Int) -> Int? {
    guard start + digits <= count else { return nil }
    var value = 0
    for place in start..<start + digits {
      let digit = self[place] &- 0x30
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }
}
