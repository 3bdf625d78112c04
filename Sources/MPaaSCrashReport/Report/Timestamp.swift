package import MPaaSBase

extension CrashReport.Timestamp {
  /// The time as Apple's reports have it: `2022-03-16 11:45:14.2121 +0800`.
  ///
  /// - Parameter digits: How many digits the fraction of a second gets, 0 to 9; the rest is cut off.
  package func text(digits: Int = 4) -> String {
    let shown = seconds.addingReportingOverflow(Int64(utcOffset)).partialValue
    let (date, second) = CivilDate.at(secondsSince1970: Int(shown))
    let time = "\((second / 3600).padded(to: 2)):\((second / 60 % 60).padded(to: 2)):\((second % 60).padded(to: 2))"
    let fraction = digits > 0 ? "." + nanoseconds.padded(to: 9).prefix(digits) : ""
    let offset = Int64(utcOffset.magnitude) / 60
    let zone = (utcOffset < 0 ? "-" : "+") + (offset / 60).padded(to: 2) + (offset % 60).padded(to: 2)
    return "\(date) \(time)\(fraction) \(zone)"
  }

  /// The time `seconds` later; this one where they are 9,000,000,000 or more, which nanoseconds cannot hold.
  package func advanced(by seconds: Double) -> Self {
    guard seconds.magnitude < 9e9 else { return self }
    let nanos = Int64(nanoseconds) + Int64((seconds * 1e9).rounded())
    let (whole, rest) = nanos.quotientAndRemainder(dividingBy: 1_000_000_000)
    let borrowed: Int64 = rest < 0 ? 1 : 0
    var later = self
    later.seconds = self.seconds.addingReportingOverflow(whole - borrowed).partialValue
    later.nanoseconds = UInt32(rest + borrowed * 1_000_000_000)
    return later
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
  package init?(_ value: JSONValue?) {
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
    let days = CivilDate.days(year: Int(year), month: Int(month), day: Int(day))
    seconds = Int64(days) * 86_400 + hour * 3600 + minute * 60 + second - Int64(offset)
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
}
