/// Dates and times of RFC 3339, and durations of ISO 8601.
enum DateFormats {
  static func isDate(_ text: some Collection<UInt8>) -> Bool {
    let bytes = Array(text)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
      (1...12).contains(month), day >= 1
    else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return day <= days[month - 1]
  }

  static func isDateTime(_ text: some Collection<UInt8>) -> Bool {
    let bytes = Array(text)
    guard bytes.count > 11, bytes[10] | 0x20 == UInt8(ascii: "t") else { return false }
    return isDate(bytes[0..<10]) && isTime(bytes[11...])
  }

  static func isTime(_ text: some Collection<UInt8>) -> Bool {
    let bytes = Array(text)
    guard bytes.count >= 9, bytes[2] == UInt8(ascii: ":"), bytes[5] == UInt8(ascii: ":"),
      let hour = number(bytes[0..<2]), let minute = number(bytes[3..<5]), let second = number(bytes[6..<8]),
      hour < 24, minute < 60, second <= 60
    else { return false }
    var rest = bytes[8...]
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix { $0 &- 0x30 < 10 }
      guard !digits.isEmpty else { return false }
      rest = rest.dropFirst(digits.count + 1)
    }
    guard let offset = offset(Array(rest)) else { return false }
    // A leap second comes at midnight of universal time only.
    return second < 60 || (hour * 60 + minute - offset + 2_880) % 1_440 == 1_439
  }

  /// The minutes of `Z` or `+01:30`.
  private static func offset(_ bytes: [UInt8]) -> Int? {
    if bytes.count == 1, bytes[0] | 0x20 == UInt8(ascii: "z") { return 0 }
    guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), let hour = number(bytes[1..<3]),
      let minute = number(bytes[4..<6]), hour < 24, minute < 60
    else { return nil }
    switch bytes[0] {
    case UInt8(ascii: "+"): return hour * 60 + minute
    case UInt8(ascii: "-"): return -(hour * 60 + minute)
    default: return nil
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
    return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  static func isDuration(_ text: some Collection<UInt8>) -> Bool {
    var rest = Array(text)[...]
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return false }
    if rest.last == UInt8(ascii: "W") { return rest.count > 1 && rest.dropLast().allSatisfy { $0 &- 0x30 < 10 } }
    let parts = rest.split(separator: UInt8(ascii: "T"), maxSplits: 1, omittingEmptySubsequences: false)
    guard isRow(parts[0], "YMD") else { return false }
    guard parts.count == 2 else { return !parts[0].isEmpty }
    return !parts[1].isEmpty && isRow(parts[1], "HMS")
  }

  /// Numbers with some of the letters behind them, in their order and without a gap.
  private static func isRow(_ bytes: ArraySlice<UInt8>, _ letters: String) -> Bool {
    let letters = Array(letters.utf8)
    var rest = bytes
    var last: Int?
    while !rest.isEmpty {
      let digits = rest.prefix { $0 &- 0x30 < 10 }
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty, let letter = rest.popFirst(), let index = letters.firstIndex(of: letter),
        last.map({ index == $0 + 1 }) ?? true
      else { return false }
      last = index
    }
    return true
  }
}
