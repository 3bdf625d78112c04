/// Moments as HTTP writes them: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
package enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  /// From that of 1970-01-01 on.
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

  /// The text of a moment.
  ///
  /// - Parameter seconds: Since 1970; one before that is written as 1970 begins, one after the year 9999 as it ends.
  package static func text(_ seconds: Double) -> String {
    let (date, second) = CivilDate.at(secondsSince1970: Int(max(0, min(seconds, 253_402_300_799))))
    let clock = [second / 3600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
    let day = "\(weekdays[date.daysSince1970 % 7]), \(date.day.padded(to: 2)) \(months[date.month - 1])"
    return "\(day) \(date.year) \(clock) GMT"
  }

  /// Seconds since 1970 of a text; nil for anything else than such a date, whose parts may have hyphens between them.
  package static func seconds(_ text: String) -> Double? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
    guard words.count >= 5, let day = Int(words[1]), let month = months.firstIndex(of: String(words[2])),
      let year = Int(words[3]), (1...31).contains(day), (1900...9999).contains(year)
    else { return nil }
    let time = words[4].split(separator: ":").compactMap { Int($0) }
    guard time.count == 3, (0...23).contains(time[0]), (0...59).contains(time[1]), (0...60).contains(time[2]) else {
      return nil
    }
    let days = CivilDate.days(year: year, month: month + 1, day: day)
    return Double(days * 86400 + time[0] * 3600 + time[1] * 60 + time[2])
  }
}
