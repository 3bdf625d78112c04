import MPaaSSupport

/// The periods that quotas are for: minutes and hours of the clock, and months of the calendar in UTC.
enum QuotaPeriod: String, Sendable, CaseIterable, Codable {
  case minute, hour, month

  /// The beginning and the end of the period that a moment is in, in seconds since 1970.
  func bounds(at moment: Double) -> (start: Int64, end: Int64) {
    let second = Int64(clamping: Int(moment.rounded(.down)))
    switch self {
    case .minute: return (second - second % 60, second - second % 60 + 60)
    case .hour: return (second - second % 3600, second - second % 3600 + 3600)
    case .month:
      let date = CivilDate.at(secondsSince1970: Int(second)).date
      let (year, month) = date.month == 12 ? (date.year + 1, 1) : (date.year, date.month + 1)
      let start = CivilDate.days(year: date.year, month: date.month, day: 1)
      return (Int64(start) * 86_400, Int64(CivilDate.days(year: year, month: month, day: 1)) * 86_400)
    }
  }
}

/// A number of events, and of the bytes that they came with.
struct QuotaAmount: Sendable, Equatable, Codable {
  var events: Int64?
  var bytes: Int64?
}

/// The most that an app or a token may send in each period; what is nil is not limited.
struct QuotaLimits: Sendable, Equatable, Codable {
  var minute: QuotaAmount?
  var hour: QuotaAmount?
  var month: QuotaAmount?

  subscript(period: QuotaPeriod) -> QuotaAmount? {
    switch period {
    case .minute: minute
    case .hour: hour
    case .month: month
    }
  }

  /// - Throws: `Refusal` `server-bad-request` naming the period with an amount below 0.
  func check() throws {
    for period in QuotaPeriod.allCases {
      let amounts = [self[period]?.events, self[period]?.bytes].compactMap { $0 }
      guard amounts.allSatisfy({ $0 >= 0 }) else { throw Refusal(.badRequest, ["reason": period.rawValue]) }
    }
  }
}
