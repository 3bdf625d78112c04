import MPaaSSupport

/// A form of dates in the letters of Java's `DateTimeFormatter`: `yyyy-MM-dd'T'HH:mm:ssXXX`.
package struct JavaDateFormat: Sendable, Equatable {
  enum Part: Sendable, Equatable {
    case field(Character, Int)
    case text(String)
  }

  package let text: String
  let parts: [Part]

  package init(_ text: String) {
    self.text = text
    var parts: [Part] = []
    var rest = text[...]
    while let first = rest.first {
      if first == "'" {
        rest = rest.dropFirst()
        if rest.first == "'" {
          parts.append(.text("'"))
        } else {
          parts.append(.text(String(rest.prefix { $0 != "'" })))
          rest = rest.drop { $0 != "'" }
        }
        rest = rest.dropFirst()
      } else if first.isASCII, first.isLetter {
        let run = rest.prefix { $0 == first }
        parts.append(.field(first, run.count))
        rest = rest.dropFirst(run.count)
      } else {
        parts.append(.text(String(first)))
        rest = rest.dropFirst()
      }
    }
    self.parts = parts
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  private static let days = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]

  /// Writes a time.
  package func text(of time: MockTime) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let letter, let count): Self.text(letter, count, time)
      }
    }.joined()
  }

  private static func text(_ letter: Character, _ count: Int, _ time: MockTime) -> String {
    let (date, second) = (time.date, time.secondOfDay)
    func padded(_ value: Int) -> String { value.padded(to: min(count, 9)) }
    switch letter {
    case "y", "u", "Y": return count == 2 ? (date.year % 100).padded(to: 2) : padded(date.year)
    case "M", "L":
      guard count > 2 else { return padded(date.month) }
      return count == 3 ? String(months[date.month - 1].prefix(3)) : months[date.month - 1]
    case "d": return padded(date.day)
    case "D": return padded(date.daysSince1970 - CivilDate.days(year: date.year, month: 1, day: 1) + 1)
    case "E", "e", "c":
      let name = days[((date.daysSince1970 % 7) + 7) % 7]
      return count > 3 ? name : String(name.prefix(3))
    case "H": return padded(second / 3600)
    case "k": return padded(second / 3600 == 0 ? 24 : second / 3600)
    case "h": return padded((second / 3600 + 11) % 12 + 1)
    case "K": return padded(second / 3600 % 12)
    case "m": return padded(second / 60 % 60)
    case "s": return padded(second % 60)
    case "S":
      return String(Int((time.fraction * 1e9).rounded(.down)).padded(to: 9).prefix(count))
    case "a": return second / 3600 < 12 ? "AM" : "PM"
    case "X":
      let offset = time.offset ?? 0
      return count == 1 && offset % 3600 == 0 && offset != 0
        ? String(MockTime.zone(offset).prefix(3)) : MockTime.zone(offset, colon: count >= 3)
    case "x", "Z":
      let offset = time.offset ?? 0
      return offset == 0 ? (count >= 3 ? "+00:00" : "+0000") : MockTime.zone(offset, colon: count >= 3)
    case "z", "V", "O": return time.offset.map { $0 == 0 ? "UTC" : "GMT" + MockTime.zone($0) } ?? "UTC"
    default: return String(repeating: letter, count: count)
    }
  }

  /// Reads a time; nil where the text is of another form.
  package func time(_ text: String) -> MockTime? {
    var cursor = TextCursor(text[...])
    var (year, month, day) = (1970, 1, 1)
    var (hour, minute, second, fraction) = (0, 0, 0, 0.0)
    var isAfternoon: Bool?
    var offset: Int?
    for (index, part) in parts.enumerated() {
      guard case .field(let letter, let count) = part else {
        guard case .text(let text) = part, cursor.take(text) else { return nil }
        continue
      }
      // Where another field follows at once, only so many digits are its own.
      let isTight: Bool = if case .field? = parts.dropFirst(index + 1).first { true } else { false }
      func number() -> Int? { cursor.number(isTight ? count : max(count, 2), atMost: !isTight) }
      switch letter {
      case "y", "u", "Y":
        guard let value = cursor.number(count == 2 ? 2 : 4, atMost: true) else { return nil }
        year = count == 2 ? value + (value < 70 ? 2000 : 1900) : value
      case "M", "L":
        if count > 2 {
          let word = cursor.word().lowercased().prefix(3)
          guard let found = Self.months.firstIndex(where: { $0.lowercased().hasPrefix(word) }), word.count == 3 else {
            return nil
          }
          month = found + 1
        } else {
          guard let value = number() else { return nil }
          month = value
        }
      case "d":
        guard let value = number() else { return nil }
        day = value
      case "E", "e", "c": _ = cursor.word()
      case "H", "k", "h", "K":
        guard let value = number() else { return nil }
        hour = letter == "k" || letter == "h" ? value % (letter == "k" ? 24 : 12) : value
      case "m":
        guard let value = number() else { return nil }
        minute = value
      case "s":
        guard let value = number() else { return nil }
        second = value
      case "S":
        guard let value = cursor.fraction() else { return nil }
        fraction = value
      case "a": isAfternoon = cursor.word().lowercased() == "pm"
      case "X", "x", "Z", "z", "O", "V":
        guard let value = cursor.offset() else { return nil }
        offset = value
      default: return nil
      }
    }
    if isAfternoon == true { hour += 12 }
    guard cursor.isAtEnd, let date = CivilDate(year: year, month: month, day: day), (0..<24).contains(hour),
      (0..<60).contains(minute), (0..<61).contains(second)
    else { return nil }
    let wall = Double(date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second) + fraction
    return MockTime(wall: wall, offset: offset)
  }
}
