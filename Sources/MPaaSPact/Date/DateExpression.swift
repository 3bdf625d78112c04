import MPaaSSupport

/// A shift of dates and times in words: `+ 1 day`, `next monday`, `tomorrow @ 3 o'clock pm`.
///
/// - Source: Pact's documentation of the generators for dates, "Date and time expressions".
struct DateExpression {
  enum Kind {
    case date, time, dateTime
  }

  private enum Step {
    case days(Int)
    case months(Int)
    case milliseconds(Int)
    /// A day of the week from 0 for Monday, the next or the last one.
    case weekday(Int, isNext: Bool)
    /// A month from 1, the next or the last one.
    case month(Int, isNext: Bool)
    /// The time of the day.
    case time(milliseconds: Int)
  }

  private var steps: [Step] = []
  /// The greatest number in front of a unit.
  private static let most = 100_000
  static let longest = 256

  init(_ text: String, _ kind: Kind) throws(PactError) {
    let fault = PactError(.expression, ["expression": text.limited(80)])
    guard text.utf8.count <= Self.longest else { throw fault }
    let halves = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    switch kind {
    case .date where halves.count == 1: steps = try Self.steps(halves[0], isTime: false, fault)
    case .time where halves.count == 1: steps = try Self.steps(halves[0], isTime: true, fault)
    case .dateTime:
      steps = try Self.steps(halves[0], isTime: false, fault)
      if halves.count == 2 { steps += try Self.steps(halves[1], isTime: true, fault) }
    default: throw fault
    }
  }

  // MARK: Reading

  private static func words(_ text: Substring) -> [String] {
    text.lowercased().replacing(each: "+", with: " + ").replacing(each: "-", with: " - ")
      .replacing(all: "o'clock", with: " oclock ").split(whereSeparator: \.isWhitespace)
      .flatMap { word -> [String] in
        // `1day` is `1 day`.
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        return digits.isEmpty || digits.count == word.count
          ? [String(word)] : [String(digits), String(word[digits.endIndex...])]
      }
  }

  private static func steps(_ text: Substring, isTime: Bool, _ fault: PactError) throws(PactError) -> [Step] {
    var words = Self.words(text)[...]
    var steps: [Step] = []
    if let first = words.first, let base = base(first, isTime) {
      words.removeFirst()
      if let base { steps.append(base) }
    } else if isTime, words.dropFirst().first == "oclock", let hour = words.first.flatMap({ Int($0) }) {
      words = words.dropFirst(2)
      var value = hour
      if let half = words.first, half == "am" || half == "pm" {
        guard (1...12).contains(hour) else { throw fault }
        value = hour % 12 + (half == "pm" ? 12 : 0)
        words.removeFirst()
      }
      guard (0...23).contains(value) else { throw fault }
      steps.append(.time(milliseconds: value * 3_600_000))
    } else if let first = words.first, first == "next" || first == "last" {
      guard let step = words.dropFirst().first.flatMap({ offset($0, isNext: first == "next", isTime) }) else {
        throw fault
      }
      words = words.dropFirst(2)
      steps.append(step)
    }
    while let sign = words.popFirst() {
      guard sign == "+" || sign == "-", let count = words.popFirst().flatMap({ Int($0) }), count <= most,
        let unit = words.popFirst(), let step = step(unit, sign == "+" ? count : -count, isTime)
      else { throw fault }
      steps.append(step)
    }
    return steps
  }

  /// The meaning of a word that begins an expression; nil for others, an inner nil where it changes nothing.
  private static func base(_ word: String, _ isTime: Bool) -> Step?? {
    switch word {
    case "now": .some(nil)
    case "today" where !isTime: .some(nil)
    case "tomorrow" where !isTime: .days(1)
    case "yesterday" where !isTime: .days(-1)
    case "midnight" where isTime: .time(milliseconds: 0)
    case "noon" where isTime: .time(milliseconds: 43_200_000)
    default: nil
    }
  }

  private static func step(_ unit: String, _ count: Int, _ isTime: Bool) -> Step? {
    switch (unit.hasSuffix("s") ? String(unit.dropLast()) : unit, isTime) {
    case ("day", false): .days(count)
    case ("week", false): .days(7 * count)
    case ("fortnight", false): .days(14 * count)
    case ("month", false): .months(count)
    case ("year", false): .months(12 * count)
    case ("hour", true): .milliseconds(3_600_000 * count)
    case ("minute", true): .milliseconds(60_000 * count)
    case ("second", true): .milliseconds(1000 * count)
    case ("millisecond", true): .milliseconds(count)
    default: nil
    }
  }

  private static func offset(_ word: String, isNext: Bool, _ isTime: Bool) -> Step? {
    if let step = step(word, isNext ? 1 : -1, isTime) { return step }
    guard !isTime, word.count >= 3 else { return nil }
    func place(_ names: [String]) -> Int? {
      names.firstIndex { $0.lowercased().hasPrefix(word) || word == "tues" && $0 == "Tuesday" }
    }
    if let day = place(DateFormat.days) { return .weekday(day, isNext: isNext) }
    return place(DateFormat.months).map { .month($0 + 1, isNext: isNext) }
  }

  // MARK: Moving

  func moment(from base: DateFormat.Moment) -> DateFormat.Moment {
    steps.reduce(base) { moment, step in
      var moment = moment
      switch step {
      case .days(let count): moment.date = CivilDate(daysSince1970: moment.date.daysSince1970 + count)
      case .months(let count): moment.date = Self.adding(months: count, to: moment.date)
      case .milliseconds(let count):
        moment = DateFormat.Moment(millisecondsSince1970: moment.millisecondsSince1970 + count)
      case .time(let milliseconds): moment.millisecond = milliseconds
      case .weekday(let day, true):
        let days = (day - moment.weekday + 6) % 7 + 1
        moment.date = CivilDate(daysSince1970: moment.date.daysSince1970 + days)
      case .weekday(let day, false):
        let days = (moment.weekday - day + 6) % 7 + 1
        moment.date = CivilDate(daysSince1970: moment.date.daysSince1970 - days)
      case .month(let month, true):
        moment.date = Self.adding(months: (month - moment.date.month + 11) % 12 + 1, to: moment.date)
      case .month(let month, false):
        moment.date = Self.adding(months: -((moment.date.month - month + 11) % 12 + 1), to: moment.date)
      }
      return moment
    }
  }

  /// The same day of another month, or its last one where it has no such day.
  private static func adding(months: Int, to date: CivilDate) -> CivilDate {
    let count = date.year * 12 + date.month - 1 + months
    let year = count >= 0 ? count / 12 : -((11 - count) / 12)
    let month = count - year * 12 + 1
    let day = min(date.day, CivilDate.days(in: month, of: year))
    return CivilDate(year: year, month: month, day: day) ?? date
  }
}
