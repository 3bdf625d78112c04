/// An hour of the calendar in UTC, which names a file: `2026-11-22/23`.
package struct LogHour: Sendable, Hashable, Comparable {
  package static let length: Int64 = 3_600_000_000_000

  /// Hours since 1970.
  package let number: Int64

  package init(number: Int64) {
    self.number = number
  }

  /// The hour of a time in nanoseconds since 1970.
  package init(_ time: Int64) {
    let quotient = time / Self.length
    number = time % Self.length < 0 ? quotient - 1 : quotient
  }

  package static func < (left: LogHour, right: LogHour) -> Bool { left.number < right.number }

  /// The times of the hour; cut where they pass what can be told.
  package var range: Range<Int64> {
    let start = number.multipliedReportingOverflow(by: Self.length)
    guard !start.overflow else { return number < 0 ? .min ..< .min + Self.length : (.max - Self.length)..<(.max) }
    let end = start.partialValue.addingReportingOverflow(Self.length)
    return start.partialValue..<(end.overflow ? .max : end.partialValue)
  }

  private var day: Int64 { number >= 0 ? number / 24 : (number - 23) / 24 }
  private var hour: Int64 { number - day * 24 }

  /// `2026-11-22`.
  package var folder: String {
    // Days to a date of the Gregorian calendar, counted in eras of 400 years that begin in March.
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let date = dayOfYear - (153 * month + 2) / 5 + 1
    let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
    return "\(Self.padded(year, 4))-\(Self.padded(month < 10 ? month + 3 : month - 9, 2))-\(Self.padded(date, 2))"
  }

  /// `23`.
  package var name: String { Self.padded(hour, 2) }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(width - text.count, 0)) + text
  }
}
