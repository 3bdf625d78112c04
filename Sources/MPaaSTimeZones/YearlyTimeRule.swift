import MPaaSSupport

/// The days of each year on which clocks are put on and back.
///
/// - Source: POSIX, "TZ", with the hours of RFC 9636, section 3.3.1.
struct YearlyTimeRule: Sendable, Equatable {
  /// A day of a year, and the second of it by the clocks that go until then.
  struct Day: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
      /// The nth, or for 5 the last, of a weekday in a month; Sunday is 0.
      case weekday(month: Int, week: Int, day: Int)
      /// 1 to 365, where February 29 is never counted.
      case julian(Int)
      /// 0 to 365.
      case ordinal(Int)
    }

    let kind: Kind
    let second: Int

    /// Seconds since 1970, by clocks without an offset.
    func second(of year: Int) -> Int {
      let first = CivilDate.days(year: year, month: 1, day: 1)
      let days: Int =
        switch kind {
        case .julian(let day): first + day - 1 + (day > 59 && CivilDate.days(in: 2, of: year) == 29 ? 1 : 0)
        case .ordinal(let day): first + day
        case .weekday(let month, let week, let day): Self.days(year, month, week, day)
        }
      return days * 86_400 + second
    }

    private static func days(_ year: Int, _ month: Int, _ week: Int, _ day: Int) -> Int {
      let first = CivilDate.days(year: year, month: month, day: 1)
      // 1970 began on a Thursday.
      let weekday = ((first + 4) % 7 + 7) % 7
      let place = (day - weekday + 7) % 7 + 7 * (week - 1)
      return first + (place < CivilDate.days(in: month, of: year) ? place : place - 7)
    }
  }

  let standard: Int
  /// The offset of summer time and its days; nil where there is none.
  let summer: (offset: Int, start: Day, end: Day)?

  static func == (one: YearlyTimeRule, other: YearlyTimeRule) -> Bool {
    one.standard == other.standard && one.summer?.offset == other.summer?.offset
      && one.summer?.start == other.summer?.start && one.summer?.end == other.summer?.end
  }

  func offset(at second: Int) -> Int {
    guard let summer else { return standard }
    let year = CivilDate.at(secondsSince1970: max(min(second, 1 << 50), -1 << 50) + standard).date.year
    let start = summer.start.second(of: year) - standard
    let end = summer.end.second(of: year) - summer.offset
    let isSummer = start < end ? (start..<end).contains(second) : !(end..<start).contains(second)
    return isSummer ? summer.offset : standard
  }

  /// Reads a rule, such as `CET-1CEST,M3.5.0,M10.5.0/3`; nil for anything else.
  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    guard Self.name(&rest), let standard = Self.clock(&rest, 24) else { return nil }
    self.standard = -standard
    guard !rest.isEmpty else {
      summer = nil
      return
    }
    guard Self.name(&rest) else { return nil }
    var offset = 3600 - standard
    if rest.first != UInt8(ascii: ",") {
      guard let told = Self.clock(&rest, 24) else { return nil }
      offset = -told
    }
    guard let start = Self.day(&rest), let end = Self.day(&rest), rest.isEmpty else { return nil }
    summer = (offset, start, end)
  }

  private static func take(_ byte: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == UInt8(ascii: byte) else { return false }
    rest.removeFirst()
    return true
  }

  private static func name(_ rest: inout ArraySlice<UInt8>) -> Bool {
    let isQuoted = take("<", &rest)
    let letters = rest.prefix {
      (0x41...0x5a).contains($0 & 0xdf) || isQuoted && ((0x30...0x39).contains($0) || $0 == 0x2b || $0 == 0x2d)
    }
    rest = rest.dropFirst(letters.count)
    return letters.count >= 3 && (!isQuoted || take(">", &rest))
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, _ range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard (1...3).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return range.contains(number) ? number : nil
  }

  /// Reads `[+-]hh[:mm[:ss]]` as seconds.
  private static func clock(_ rest: inout ArraySlice<UInt8>, _ hours: Int) -> Int? {
    let isNegative = take("-", &rest)
    if !isNegative { _ = take("+", &rest) }
    guard var seconds = number(&rest, 0...hours).map({ $0 * 3600 }) else { return nil }
    for unit in [60, 1] where take(":", &rest) {
      guard let part = number(&rest, 0...59) else { return nil }
      seconds += part * unit
    }
    return isNegative ? -seconds : seconds
  }

  private static func day(_ rest: inout ArraySlice<UInt8>) -> Day? {
    guard take(",", &rest) else { return nil }
    let kind: Day.Kind
    if take("M", &rest) {
      guard let month = number(&rest, 1...12), take(".", &rest), let week = number(&rest, 1...5), take(".", &rest),
        let day = number(&rest, 0...6)
      else { return nil }
      kind = .weekday(month: month, week: week, day: day)
    } else if take("J", &rest) {
      guard let day = number(&rest, 1...365) else { return nil }
      kind = .julian(day)
    } else {
      guard let day = number(&rest, 0...365) else { return nil }
      kind = .ordinal(day)
    }
    guard take("/", &rest) else { return Day(kind: kind, second: 7200) }
    return clock(&rest, 167).map { Day(kind: kind, second: $0) }
  }
}
