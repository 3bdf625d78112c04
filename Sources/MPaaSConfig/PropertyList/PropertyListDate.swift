/// A time as a property list has it: in UTC, to the second in text.
package struct PropertyListDate: Sendable, Hashable, CustomStringConvertible {
  package let year: Int
  package let month: Int
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int
  /// What binary property lists have of a second beyond whole ones, at least 0 and below 1.
  package let fraction: Double

  /// Reads `2026-03-01T12:00:00Z`; nil where that is no such time.
  package init?(_ text: String) {
    var text = text
    guard let date = text.withUTF8({ PropertyListDate($0) }) else { return nil }
    self = date
  }

  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count == 20, bytes[4] == 0x2d, bytes[7] == 0x2d, bytes[10] == 0x54, bytes[13] == 0x3a,
      bytes[16] == 0x3a, bytes[19] == 0x5a
    else { return nil }
    var isNumeric = true
    func number(_ start: Int, _ count: Int) -> Int {
      var sum = 0
      for byte in bytes[start..<start + count] {
        if !(0x30...0x39).contains(byte) { isNumeric = false }
        sum = sum * 10 + Int(byte) - 0x30
      }
      return sum
    }
    (year, month, day) = (number(0, 4), number(5, 2), number(8, 2))
    (hour, minute, second) = (number(11, 2), number(14, 2), number(17, 2))
    fraction = 0
    guard isNumeric, (1...12).contains(month), hour < 24, minute < 60, second < 61,
      (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// The time so many seconds behind the first of January 2001; nil outside the years 0 to 9999.
  init?(secondsSince2001 seconds: Double) {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
    let whole = seconds.rounded(.down)
    fraction = seconds - whole
    var days = Int(whole) / 86400
    var rest = Int(whole) % 86400
    if rest < 0 { (days, rest) = (days - 1, rest + 86400) }
    (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    // Counted in eras of 400 years that begin in March, so that a leap day is the last of its year.
    let march = days + 730_791
    let era = (march >= 0 ? march : march - 146_096) / 146_097
    let dayOfEra = march - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month < 3 ? 1 : 0)
    guard (0...9999).contains(year) else { return nil }
  }

  /// Seconds since the first of January 2001.
  var secondsSince2001: Double {
    let shiftedYear = month < 3 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 730_791
    return Double(days * 86400 + hour * 3600 + minute * 60 + second) + fraction
  }

  package var description: String {
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
      + "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))Z"
  }
}
