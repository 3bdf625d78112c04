import MPaaSSupport

/// Moments as recordings write them (ISO 8601 with a zone).
enum HARTime {
  /// `2026-11-28T18:00:00.250Z`, in whole milliseconds.
  static func text(_ seconds: Double) -> String {
    let limit = 253_402_300_799.0
    let bounded = seconds.isFinite ? min(max(seconds, 0), limit) : 0
    let milliseconds = Int((bounded * 1000).rounded())
    let (date, second) = CivilDate.at(secondsSince1970: milliseconds / 1000)
    let clock = [second / 3600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
    return "\(date)T\(clock).\((milliseconds % 1000).padded(to: 3))Z"
  }

  /// The seconds since 1970; nil where the text is no moment with a zone.
  static func seconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
      return bytes[range].reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19), hour < 24, minute < 60, second < 61,
      let date = CivilDate(year: year, month: month, day: day), [4, 7].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
      [13, 16].allSatisfy({ bytes[$0] == UInt8(ascii: ":") })
    else { return nil }
    let rest = bytes[19...]
    let digits = rest.first == UInt8(ascii: ".") ? rest.dropFirst().prefix { $0 &- 0x30 < 10 } : []
    let fraction = Double("0." + String(decoding: digits, as: UTF8.self) + "0") ?? 0
    guard let zone = zone(rest.dropFirst(digits.isEmpty ? 0 : digits.count + 1)) else { return nil }
    return Double(date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - zone) + fraction
  }

  /// The seconds of `Z`, `+08:00` or `+0800`.
  private static func zone(_ text: ArraySlice<UInt8>) -> Int? {
    if text.count == 1, text.first == UInt8(ascii: "Z") { return 0 }
    guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    let digits = text.dropFirst().filter { $0 != UInt8(ascii: ":") }
    guard digits.count == 4, digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
    let values = digits.map { Int($0 &- 0x30) }
    let seconds = ((values[0] * 10 + values[1]) * 60 + values[2] * 10 + values[3]) * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }
}
