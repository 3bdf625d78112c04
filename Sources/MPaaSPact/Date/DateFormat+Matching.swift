import MPaaSSupport

extension DateFormat {
  /// Tells whether a text is a date or a time of the format, one that there is.
  package func matches(_ text: String) -> Bool {
    var budget = 256
    return Self.match(items[...], Array(text)[...], Parsed(), &budget)
  }

  /// The parts of a date that were read, to tell whether there is such a day.
  private struct Parsed {
    var year: Int?
    var month: Int?
    var day: Int?

    var isPossible: Bool {
      guard let month, let day else { return true }
      return CivilDate(year: year ?? 2000, month: month, day: day) != nil
    }
  }

  /// - Parameter budget: The tries of optional parts that are left.
  private static func match(
    _ items: ArraySlice<Item>, _ text: ArraySlice<Character>, _ parsed: Parsed, _ budget: inout Int
  ) -> Bool {
    var (items, text, parsed) = (items, text, parsed)
    while let item = items.popFirst() {
      switch item {
      case .literal(let literal):
        guard text.starts(with: literal) else { return false }
        text = text.dropFirst(literal.count)
      case .optional(let inner):
        budget -= 1
        guard budget > 0 else { return false }
        if match((inner + items)[...], text, parsed, &budget) { return true }
      case .field(let letter, let count):
        guard take(letter, count, &text, &parsed) else { return false }
      }
    }
    return text.isEmpty && parsed.isPossible
  }

  private static func take(
    _ letter: Character, _ count: Int, _ text: inout ArraySlice<Character>, _ parsed: inout Parsed
  ) -> Bool {
    switch letter {
    case "y", "u":
      guard let year = number(&text, count == 2 ? 2...2 : count...max(count, count == 1 ? 9 : count)) else {
        return false
      }
      parsed.year = count == 2 ? 2000 + year : year
      return true
    case "M", "L":
      if count > 2 {
        guard let month = name(months, count, &text) else { return false }
        parsed.month = month + 1
        return true
      }
      parsed.month = number(&text, count...2, within: 1...12)
      return parsed.month != nil
    case "d":
      parsed.day = number(&text, min(count, 2)...2, within: 1...31)
      return parsed.day != nil
    case "D": return number(&text, min(count, 3)...3, within: 1...366) != nil
    case "E", "e": return name(days, letter == "e" && count < 3 ? 0 : count, &text) != nil
    case "H": return number(&text, min(count, 2)...2, within: 0...23) != nil
    case "k": return number(&text, min(count, 2)...2, within: 1...24) != nil
    case "K": return number(&text, min(count, 2)...2, within: 0...11) != nil
    case "h": return number(&text, min(count, 2)...2, within: 1...12) != nil
    case "m": return number(&text, min(count, 2)...2, within: 0...59) != nil
    case "s": return number(&text, min(count, 2)...2, within: 0...60) != nil
    case "S": return number(&text, min(count, 9)...min(count, 9)) != nil
    case "A", "n", "N": return number(&text, min(count, 19)...19) != nil
    case "w": return number(&text, min(count, 2)...2, within: 1...53) != nil
    case "W": return number(&text, 1...1, within: 0...6) != nil
    case "a": return word(["AM", "PM", "am", "pm"], &text)
    case "G": return word(count > 3 ? ["Anno Domini", "Before Christ"] : ["AD", "BC"], &text)
    default: return zone(letter, count, &text)
    }
  }

  private static func number(
    _ text: inout ArraySlice<Character>, _ width: ClosedRange<Int>, within range: ClosedRange<Int>? = nil
  ) -> Int? {
    let digits = text.prefix(width.upperBound).prefix { $0.isASCII && $0.isNumber }
    guard width.contains(digits.count), let value = Int(String(digits)), range?.contains(value) ?? true else {
      return nil
    }
    text = text.dropFirst(digits.count)
    return value
  }

  /// The place of a name in a list; three letters of it, or all where the field is longer.
  private static func name(_ names: [String], _ count: Int, _ text: inout ArraySlice<Character>) -> Int? {
    let forms = names.map { count > 3 ? $0 : String($0.prefix(3)) }
    guard let place = forms.firstIndex(where: { text.starts(with: $0) }) else { return nil }
    text = text.dropFirst(forms[place].count)
    return place
  }

  private static func word(_ words: [String], _ text: inout ArraySlice<Character>) -> Bool {
    guard let word = words.first(where: { text.starts(with: $0) }) else { return false }
    text = text.dropFirst(word.count)
    return true
  }

  /// An offset or the name of a time zone.
  private static func zone(_ letter: Character, _ count: Int, _ text: inout ArraySlice<Character>) -> Bool {
    switch letter {
    case "X" where text.first == "Z":
      text.removeFirst()
      return true
    case "X", "x": return offset(&text, hasColon: count == 3 || count == 5, isShort: count == 1, count > 3)
    case "Z":
      if count == 4 {
        guard word(["GMT"], &text) else { return false }
        return text.isEmpty || offset(&text, hasColon: true, isShort: false, false)
      }
      return offset(&text, hasColon: count == 5, isShort: false, false)
    default:
      // Names of zones are many; what looks like one is taken: UTC, CEST, Europe/Berlin, GMT+02:00.
      let name = text.prefix { $0.isLetter || $0.isNumber || "/_+-:".contains($0) }
      text = text.dropFirst(name.count)
      return name.first?.isLetter == true
    }
  }

  private static func offset(
    _ text: inout ArraySlice<Character>, hasColon: Bool, isShort: Bool, _ mayHaveSeconds: Bool
  ) -> Bool {
    guard let sign = text.popFirst(), sign == "+" || sign == "-", number(&text, 2...2, within: 0...18) != nil else {
      return false
    }
    func more() -> Bool {
      if hasColon {
        guard text.first == ":" else { return false }
        text.removeFirst()
      }
      return number(&text, 2...2, within: 0...59) != nil
    }
    if isShort, text.first.map({ !$0.isNumber }) ?? true { return true }
    guard more() else { return false }
    if mayHaveSeconds, text.count >= (hasColon ? 3 : 2) { return more() }
    return true
  }
}
