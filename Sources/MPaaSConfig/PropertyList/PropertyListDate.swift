import MPaaSSupport

/// A time as a property list has it: in UTC, to the second in text.
package struct PropertyListDate: Sendable, Hashable, CustomStringConvertible {
  package let year: Int
  package let month: Int
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int
  /// The part of a second beyond whole ones, at least 0 and below 1.
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
      (1...CivilDate.days(in: month, of: year)).contains(day)
    else { return nil }
  }

  /// Days from 1970-01-01 to 2001-01-01.
  private static let reference = 11_323

  /// The time so many seconds behind the first of January 2001; nil outside the years 0 to 9999.
  init?(secondsSince2001 seconds: Double) {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
    let whole = seconds.rounded(.down)
    fraction = seconds - whole
    let (date, rest) = CivilDate.at(secondsSince1970: Int(whole) + Self.reference * 86400)
    (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    (year, month, day) = (date.year, date.month, date.day)
    guard (0...9999).contains(year) else { return nil }
  }

  /// Seconds since the first of January 2001.
  var secondsSince2001: Double {
    let days = CivilDate.days(year: year, month: month, day: day) - Self.reference
    return Double(days * 86400 + hour * 3600 + minute * 60 + second) + fraction
  }

  package var description: String {
    "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))T"
      + "\(hour.padded(to: 2)):\(minute.padded(to: 2)):\(second.padded(to: 2))Z"
  }
}
