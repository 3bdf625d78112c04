package import MPaaSSupport

extension DateFormat {
  /// A moment of the Gregorian calendar in UTC, to the millisecond.
  package struct Moment: Sendable, Equatable {
    package var date: CivilDate
    /// 0 to 86,399,999.
    package var millisecond: Int

    package init(millisecondsSince1970 milliseconds: Int) {
      let day = milliseconds >= 0 ? milliseconds / 86_400_000 : -((86_399_999 - milliseconds) / 86_400_000)
      date = CivilDate(daysSince1970: day)
      millisecond = milliseconds - day * 86_400_000
    }

    package var millisecondsSince1970: Int { date.daysSince1970 * 86_400_000 + millisecond }

    var hour: Int { millisecond / 3_600_000 }
    var minute: Int { millisecond / 60_000 % 60 }
    var second: Int { millisecond / 1000 % 60 }
    /// 0 for Monday.
    var weekday: Int { ((date.daysSince1970 + 3) % 7 + 7) % 7 }
    var dayOfYear: Int { date.daysSince1970 - CivilDate.days(year: date.year, month: 1, day: 1) + 1 }
  }

  /// A moment, written in the format.
  package func text(_ moment: Moment) -> String { Self.text(items, moment) }

  private static func text(_ items: [Item], _ moment: Moment) -> String {
    items.reduce(into: "") { text, item in
      switch item {
      case .literal(let literal): text += literal
      case .optional(let inner): text += Self.text(inner, moment)
      case .field(let letter, let count): text += field(letter, count, moment)
      }
    }
  }

  private static func field(_ letter: Character, _ count: Int, _ moment: Moment) -> String {
    let hour = moment.hour
    func padded(_ value: Int) -> String { value.padded(to: count) }
    return switch letter {
    case "G": count > 3 ? "Anno Domini" : "AD"
    case "y", "u": count == 2 ? (moment.date.year % 100).padded(to: 2) : padded(moment.date.year)
    case "M", "L": count > 2 ? name(months[moment.date.month - 1], count) : padded(moment.date.month)
    case "d": padded(moment.date.day)
    case "D": padded(moment.dayOfYear)
    case "E", "e": name(days[moment.weekday], count)
    case "a": hour < 12 ? "AM" : "PM"
    case "H": padded(hour)
    case "k": padded(hour == 0 ? 24 : hour)
    case "K": padded(hour % 12)
    case "h": padded(hour % 12 == 0 ? 12 : hour % 12)
    case "m": padded(moment.minute)
    case "s": padded(moment.second)
    case "S": String(((moment.millisecond % 1000).padded(to: 3) + "000000").prefix(min(count, 9)))
    case "A": padded(moment.millisecond)
    case "n": padded(moment.millisecond % 1000 * 1_000_000)
    case "N": padded(moment.millisecond * 1_000_000)
    case "w": padded((moment.dayOfYear - moment.weekday + 9) / 7)
    case "W": String((moment.date.day - 1) / 7 + 1)
    case "X": "Z"
    case "x": count == 1 ? "+00" : count == 3 || count == 5 ? "+00:00" : "+0000"
    case "Z": count == 4 ? "GMT" : count == 5 ? "Z" : "+0000"
    default: "UTC"
    }
  }

  private static func name(_ name: String, _ count: Int) -> String { count > 3 ? name : String(name.prefix(3)) }
}
