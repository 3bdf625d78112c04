import MPaaSSupport

/// A date and a time, with or without a distance from UTC.
package struct MockTime: Sendable, Equatable {
  /// Seconds since 1970 of what a clock on the wall shows.
  package var wall: Double
  /// Seconds east of UTC; nil for a time without a zone.
  package var offset: Int?

  package init(wall: Double, offset: Int?) {
    self.wall = wall
    self.offset = offset
  }

  /// A time in UTC.
  package init(seconds: Double) {
    wall = seconds
    offset = 0
  }

  /// Seconds since 1970; a time without a zone counts as UTC.
  package var seconds: Double { wall - Double(offset ?? 0) }

  var date: CivilDate { CivilDate.at(secondsSince1970: Int(wall.rounded(.down))).date }
  package var secondOfDay: Int { CivilDate.at(secondsSince1970: Int(wall.rounded(.down))).second }
  package var fraction: Double { wall - wall.rounded(.down) }

  /// The time that lies at a distance, moved by the calendar where the unit is a month or a year.
  package func moved(by amount: Int, _ unit: TimeUnit) -> MockTime? {
    guard abs(amount) <= 10_000_000_000 else { return nil }
    var time = self
    switch unit {
    case .seconds: time.wall += Double(amount)
    case .minutes: time.wall += Double(amount) * 60
    case .hours: time.wall += Double(amount) * 3600
    case .days: time.wall += Double(amount) * 86_400
    case .months, .years:
      let months = date.year * 12 + date.month - 1 + amount * (unit == .years ? 12 : 1)
      let (year, month) = (Int((Double(months) / 12).rounded(.down)), ((months % 12) + 12) % 12 + 1)
      guard (-9999...99_999).contains(year),
        let moved = CivilDate(year: year, month: month, day: min(date.day, CivilDate.days(in: month, of: year)))
      else { return nil }
      time.wall = Double(moved.daysSince1970 * 86_400 + secondOfDay) + fraction
    }
    return abs(time.wall) < 4e12 ? time : nil
  }

  package func truncated(to place: TimeTruncation) -> MockTime {
    let (day, second) = (date, secondOfDay)
    let start = day.daysSince1970 * 86_400
    func of(_ year: Int, _ month: Int, _ day: Int) -> Int {
      CivilDate.days(year: year, month: month, day: day) * 86_400
    }
    let wall =
      switch place {
      case .minute: start + second / 60 * 60
      case .hour: start + second / 3600 * 3600
      case .day: start
      case .month: of(day.year, day.month, 1)
      case .nextMonth: day.month == 12 ? of(day.year + 1, 1, 1) : of(day.year, day.month + 1, 1)
      case .lastDayOfMonth: of(day.year, day.month, CivilDate.days(in: day.month, of: day.year))
      case .year: of(day.year, 1, 1)
      case .nextYear: of(day.year + 1, 1, 1)
      case .lastDayOfYear: of(day.year, 12, 31)
      }
    return MockTime(wall: Double(wall), offset: offset)
  }

  /// `2021-06-14T12:13:14Z`.
  package var text: String {
    let second = secondOfDay
    let clock = [second / 3600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
    let milliseconds = Int((fraction * 1000).rounded(.down))
    let part = milliseconds > 0 ? "." + milliseconds.padded(to: 3) : ""
    return "\(date)T\(clock)\(part)\(offset.map { Self.zone($0) } ?? "")"
  }

  static func zone(_ offset: Int, colon: Bool = true) -> String {
    guard offset != 0 else { return "Z" }
    let minutes = abs(offset) / 60
    let sign = offset < 0 ? "-" : "+"
    return sign + (minutes / 60).padded(to: 2) + (colon ? ":" : "") + (minutes % 60).padded(to: 2)
  }
}

/// A unit of time in expressions as `now +3 days`.
package enum TimeUnit: String, Sendable {
  case seconds, minutes, hours, days, months, years

  init?(word: some StringProtocol) {
    let word = word.lowercased()
    self.init(rawValue: word.hasSuffix("s") ? word : word + "s")
  }
}

/// A place that a time is set back, or ahead, to.
package enum TimeTruncation: String, Sendable {
  case minute = "first second of minute"
  case hour = "first minute of hour"
  case day = "first hour of day"
  case month = "first day of month"
  case nextMonth = "first day of next month"
  case lastDayOfMonth = "last day of month"
  case year = "first day of year"
  case nextYear = "first day of next year"
  case lastDayOfYear = "last day of year"

  init?(word: String) { self.init(rawValue: word.lowercased().split(separator: "_").joined(separator: " ")) }
}
