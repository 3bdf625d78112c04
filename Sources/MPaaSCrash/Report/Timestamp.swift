import MPaaSSupport

extension CrashReport.Timestamp {
  /// The time as Apple's reports have it: `2022-03-16 11:45:14.2121 +0800`.
  ///
  /// - Parameter digits: How many digits the fraction of a second gets, 0 to 9; the rest is cut off.
  package func text(digits: Int = 4) -> String {
    let (days, second) = Self.floor(seconds.addingReportingOverflow(Int64(utcOffset)).partialValue, by: 86_400)
    let (year, month, day) = Self.civil(days)
    let date = "\(Self.pad(year, 4))-\(Self.pad(month, 2))-\(Self.pad(day, 2))"
    let time = "\(Self.pad(second / 3600, 2)):\(Self.pad(second / 60 % 60, 2)):\(Self.pad(second % 60, 2))"
    let fraction = digits > 0 ? "." + Self.pad(Int64(nanoseconds), 9).prefix(digits) : ""
    let offset = Int64(utcOffset.magnitude) / 60
    let zone = (utcOffset < 0 ? "-" : "+") + Self.pad(offset / 60, 2) + Self.pad(offset % 60, 2)
    return "\(date) \(time)\(fraction) \(zone)"
  }

  /// Reads `2022-03-16 11:45:14.2121 +0800`, also with `T`, with `Z`, with `+08:00`, without fraction or zone.
  package init?(_ text: String) {
    var text = text
    let read = text.withUTF8 { Self(reading: $0) }
    guard let read else { return nil }
    self = read
  }

  /// Reads a time as JSON has it: text as above, seconds since 1970, or microseconds where those would be too many.
  ///
  /// Milliseconds cannot be told from seconds; nil for what is no time, and for no value.
  init?(_ value: JSONValue?) {
    if let text = value?.string {
      self.init(text)
      return
    }
    guard let number = value?.double, number.magnitude < 1e17 else { return nil }
    let micros = number.magnitude > 1e12 ? number : number * 1_000_000
    let (seconds, rest) = Int64(micros.rounded()).quotientAndRemainder(dividingBy: 1_000_000)
    let borrowed: Int64 = rest < 0 ? 1 : 0
    self.init(seconds: seconds - borrowed, nanoseconds: UInt32(rest + borrowed * 1_000_000) * 1000)
  }

  private init?(reading text: UnsafeBufferPointer<UInt8>) {
    var rest = text[...]
    guard let year = Self.number(&rest, "-"), let month = Self.number(&rest, "-"), let day = Self.number(&rest, " T"),
      let hour = Self.number(&rest, ":"), let minute = Self.number(&rest, ":"), let second = Self.number(&rest, nil),
      (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
    else { return nil }
    nanoseconds = 0
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      var scale: UInt32 = 100_000_000
      while let digit = rest.first, digit &- 0x30 < 10 {
        nanoseconds += UInt32(digit - 0x30) * scale
        scale /= 10
        rest = rest.dropFirst()
      }
    }
    guard let offset = Self.zone(rest) else { return nil }
    utcOffset = offset
    seconds = Self.days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - Int64(offset)
  }

  private static func number(_ text: inout Slice<UnsafeBufferPointer<UInt8>>, _ end: StaticString?) -> Int64? {
    var value: Int64 = 0
    var digits = 0
    while let byte = text.first, byte &- 0x30 < 10 {
      guard digits < 9 else { return nil }
      value = value * 10 + Int64(byte - 0x30)
      digits += 1
      text = text.dropFirst()
    }
    guard digits > 0 else { return nil }
    guard let end else { return value }
    guard let byte = text.popFirst() else { return nil }
    return end.withUTF8Buffer { $0.contains(byte) } ? value : nil
  }

  /// Seconds east of Greenwich that ` +0800` stands for; 0 for nothing and for `Z`.
  private static func zone(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int32? {
    let text = text.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ":") }
    if text.isEmpty || text == Array("Z".utf8) || text == Array("UTC".utf8) { return 0 }
    guard text.count == 5, let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      text.dropFirst().allSatisfy({ $0 &- 0x30 < 10 })
    else { return nil }
    let value = text.dropFirst().reduce(Int32(0)) { $0 * 10 + Int32($1 - 0x30) }
    guard value % 100 < 60, value <= 2400 else { return nil }
    let seconds = value / 100 * 3600 + value % 100 * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }

  private static func pad(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }

  private static func floor(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
    let remainder = (value % divisor + divisor) % divisor
    return (value / divisor - (value % divisor < 0 ? 1 : 0), remainder)
  }

  /// Days since 1970-01-01 of a date in the Gregorian calendar.
  ///
  /// Years are counted from March, so that the leap day is a year's last day, in eras of 400 years (146,097 days).
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let (era, yearOfEra) = floor(month > 2 ? year : year - 1, by: 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The date of a day since 1970-01-01; the other way round.
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floor(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = (monthFromMarch + 2) % 12 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }
}
