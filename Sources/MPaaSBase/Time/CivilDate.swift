/// A day of the Gregorian calendar, also before there was one, without a calendar's costs.
///
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil` and `civil_from_days`: years
/// begin in March, so that the leap day is a year's last, and are counted in eras of 400 years, 146,097 days.
package struct CivilDate: Sendable, Hashable {
  package let year: Int
  /// 1 to 12.
  package let month: Int
  /// 1 to 31.
  package let day: Int

  /// A date of parts in their ranges; nil where the month has no such day.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day) else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The date of a day.
  ///
  /// - Parameter days: Days since 1970-01-01, at most 2^60 in either direction.
  package init(daysSince1970 days: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * fromMarch + 2) / 5 + 1
    month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The date and the second of the day of a time in seconds since 1970.
  package static func at(secondsSince1970 seconds: Int) -> (date: CivilDate, second: Int) {
    let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    return second < 0
      ? (CivilDate(daysSince1970: days - 1), second + 86_400) : (CivilDate(daysSince1970: days), second)
  }

  /// Days since 1970-01-01.
  package var daysSince1970: Int { Self.days(year: year, month: month, day: day) }

  /// Days since 1970-01-01 of a date whose day may pass the month's end: of February 30 those of the second day of March.
  ///
  /// - Parameters:
  ///   - month: 1 to 12.
  ///   - year: At most 2^50 in either direction.
  package static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Days of a month.
  package static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension CivilDate: CustomStringConvertible {
  /// `2026-11-22`.
  package var description: String {
    "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
  }
}
