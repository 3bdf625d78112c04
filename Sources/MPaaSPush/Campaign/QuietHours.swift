import MPaaSSupport
package import MPaaSTimeZones

/// The hours of each day in which users are not to be disturbed, by the clocks where they are.
package struct QuietHours: Sendable, Equatable {
  /// Minutes of the day; where the end is not behind the start it is on the next day.
  package let start: Int
  package let end: Int
  /// The zone of installations that have told none.
  package let zone: String

  package init(start: Int, end: Int, zone: String) {
    (self.start, self.end, self.zone) = (start, end, zone)
  }

  /// The second at which the quiet hours end that a time falls into; nil for a time outside them.
  ///
  /// - Parameter now: Seconds since 1970.
  package func end(at now: Double, _ zone: TimeZoneRules) -> Double? {
    let second = Int(max(min(now, 1e12), -1e12).rounded(.down))
    let local = second + zone.offset(at: second)
    let (date, time) = CivilDate.at(secondsSince1970: local)
    let minute = time / 60
    let isQuiet = start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    guard isQuiet else { return nil }
    let day = date.daysSince1970 + (start >= end && minute >= start ? 1 : 0)
    let wanted = day * 86_400 + end * 60
    // Clocks may be put on or back before the end.
    var moment = wanted - zone.offset(at: second)
    moment = wanted - zone.offset(at: moment)
    return Double(max(moment, second + 1))
  }

  /// Reads `22:00` as a minute of the day; nil for anything else.
  static func minute(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = UInt8(parts[0]),
      let minute = UInt8(parts[1]), hour < 24, minute < 60
    else { return nil }
    return Int(hour) * 60 + Int(minute)
  }
}
