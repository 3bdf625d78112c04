import MPaaSSupport

extension MockTime {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Reads a time in one of the forms of ISO 8601, RFC 1123, RFC 1036 and C's `asctime`.
  package init?(_ text: String) {
    var text = text[...]
    while text.first == " " { text = text.dropFirst() }
    while text.last == " " { text = text.dropLast() }
    if let time = Self.iso(text) ?? Self.words(text) { self = time } else { return nil }
  }

  private static func iso(_ text: Substring) -> MockTime? {
    var cursor = TextCursor(text)
    guard let year = cursor.number(4), cursor.take("-"), let month = cursor.number(2), cursor.take("-"),
      let day = cursor.number(2), let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    let start = Double(date.daysSince1970 * 86_400)
    if cursor.isAtEnd { return MockTime(wall: start, offset: nil) }
    guard cursor.take("T") || cursor.take(" "), let hour = cursor.number(2), cursor.take(":"),
      let minute = cursor.number(2), hour < 24, minute < 60
    else { return nil }
    var seconds = 0.0
    if cursor.take(":") {
      guard let second = cursor.number(2), second < 61 else { return nil }
      seconds = Double(second)
      if cursor.take(".") || cursor.take(",") {
        guard let fraction = cursor.fraction() else { return nil }
        seconds += fraction
      }
    }
    let wall = start + Double(hour * 3600 + minute * 60) + seconds
    if cursor.isAtEnd { return MockTime(wall: wall, offset: nil) }
    guard let offset = cursor.offset() else { return nil }
    // The name of the zone says nothing more.
    if cursor.take("[") { cursor.skip(to: "]") }
    return cursor.isAtEnd ? MockTime(wall: wall, offset: offset) : nil
  }

  /// `Tue, 01 Jun 2021 15:16:17 GMT`, `Thursday, 01-Jul-21 15:16:17 GMT`, `Tue Jun  1 01:01:01 2021`.
  private static func words(_ text: Substring) -> MockTime? {
    let parts = text.split { " ,-".contains($0) }.map(String.init)
    guard parts.count >= 5 else { return nil }
    let isAscTime = Int(parts[1]) == nil
    let (day, month, year, clock) =
      isAscTime ? (parts[2], parts[1], parts[4], parts[3]) : (parts[1], parts[2], parts[3], parts[4])
    guard let day = Int(day), let month = months.firstIndex(of: month.lowercased()), var year = Int(year) else {
      return nil
    }
    if year < 100 { year += year < 70 ? 2000 : 1900 }
    let time = clock.split(separator: ":").map { Int($0) ?? -1 }
    guard time.count == 3, (0...23).contains(time[0]), (0...59).contains(time[1]), (0...60).contains(time[2]),
      let date = CivilDate(year: year, month: month + 1, day: day)
    else { return nil }
    let wall = Double(date.daysSince1970 * 86_400 + time[0] * 3600 + time[1] * 60 + time[2])
    return MockTime(wall: wall, offset: isAscTime ? nil : 0)
  }
}

/// A walk over the characters of a short text.
struct TextCursor {
  private(set) var rest: Substring

  init(_ text: Substring) { rest = text }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }

  /// A number of so many digits.
  mutating func number(_ digits: Int, atMost: Bool = false) -> Int? {
    let found = rest.prefix(digits).prefix { $0.isASCII && $0.isNumber }
    guard atMost ? !found.isEmpty : found.count == digits else { return nil }
    rest = rest.dropFirst(found.count)
    return Int(found)
  }

  mutating func fraction() -> Double? {
    let found = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(found.count)
    return found.isEmpty ? nil : Double("0." + found)
  }

  /// `Z`, `GMT`, `+01:00`, `+0100` or `+01`, in seconds.
  mutating func offset() -> Int? {
    if take("Z") || take("GMT") || take("UTC") { return 0 }
    let isNegative = rest.hasPrefix("-")
    guard take("+") || take("-"), let hours = number(2) else { return nil }
    _ = take(":")
    let minutes = number(2) ?? 0
    guard hours < 19, minutes < 60 else { return nil }
    return (hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
  }

  mutating func skip(to character: Character) {
    rest = rest.drop { $0 != character }.dropFirst()
  }

  mutating func word() -> Substring {
    let found = rest.prefix { $0.isLetter }
    rest = rest.dropFirst(found.count)
    return found
  }

  mutating func one() -> Character? { rest.popFirst() }
}
