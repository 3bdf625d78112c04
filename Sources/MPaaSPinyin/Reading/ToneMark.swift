/// The place of a tone's mark, and the letters with marks.
enum ToneMark {
  /// The letter that bears the mark (GB/T 16159): a, else e, else o, else the last vowel, else m or n.
  ///
  /// - Parameter letters: A spelling as `Syllable` has it, never empty.
  static func place(in letters: String) -> String.Index {
    for vowel: Character in ["a", "e", "ê", "o"] {
      if let place = letters.firstIndex(of: vowel) { return place }
    }
    return letters.lastIndex { "iuv".contains($0) } ?? letters.firstIndex { "mn".contains($0) } ?? letters.startIndex
  }

  /// The spelling with the mark of a tone; none is written for the neutral tone.
  static func marked(_ letters: String, _ tone: Tone, _ umlaut: UmlautSpelling) -> String {
    guard !letters.isEmpty else { return "" }
    let place = place(in: letters)
    var text = ""
    for index in letters.indices {
      let written = letters[index] == "v" ? umlaut.rawValue : String(letters[index])
      if index == place, tone != .neutral, let last = written.last {
        text += written.dropLast() + (marks[last]?[Int(tone.rawValue) - 1] ?? String(last))
      } else {
        text += written
      }
    }
    return text
  }

  private static let marks: [Character: [String]] = [
    "a": ["ā", "á", "ǎ", "à"], "e": ["ē", "é", "ě", "è"], "i": ["ī", "í", "ǐ", "ì"], "o": ["ō", "ó", "ǒ", "ò"],
    "u": ["ū", "ú", "ǔ", "ù"], "ü": ["ǖ", "ǘ", "ǚ", "ǜ"], "v": ["v\u{304}", "v\u{301}", "v\u{30c}", "v\u{300}"],
    "ê": ["ê\u{304}", "ế", "ê\u{30c}", "ề"], "m": ["m\u{304}", "ḿ", "m\u{30c}", "m\u{300}"],
    "n": ["n\u{304}", "ń", "ň", "ǹ"],
  ]
}
