import MPaaSToolSupport

/// The words of a command line as bash takes it apart, up to the cursor, and the state of the last of them.
package struct ShellLine {
  /// A quotation that is open at the cursor.
  package enum Quotation: Sendable { case none, single, double }

  package private(set) var words: [String] = []
  /// The word that is being typed, without quotation.
  package private(set) var current = ""
  package private(set) var quotation = Quotation.none
  /// The number of characters of `current` before the part that bash replaces.
  package private(set) var keptCount = 0
  /// The number of characters of the line before each word, and before the one that is being typed.
  package private(set) var starts: [Int] = []

  private let breaks: Set<Character>
  private var isEscaped = false
  private var isInWord = false

  /// - Parameter breaks: The characters of `COMP_WORDBREAKS`, before which bash keeps what was typed.
  package init(_ line: String, breaks: String) {
    self.breaks = Set(breaks)
    for (place, character) in line.unicodeScalars.map(Character.init).enumerated() { take(character, at: place) }
    if !isInWord { starts.append(line.unicodeScalars.count) }
    // The value of a variable before the command is none of its words.
    while let first = words.first, Self.isAssignment(first) {
      words.removeFirst()
      starts.removeFirst()
    }
  }

  private mutating func take(_ character: Character, at place: Int) {
    if !isInWord, quotation != .none || isEscaped || !character.isWhitespace {
      isInWord = true
      starts.append(place)
    }
    if isEscaped {
      if quotation == .double, !"$`\"\\\n".contains(character) { current.append("\\") }
      current.append(character)
      isEscaped = false
    } else if character == "\\", quotation != .single {
      isEscaped = true
    } else if quotation != .none {
      takeQuoted(character)
    } else if character == "'" || character == "\"" {
      quotation = character == "'" ? .single : .double
      keptCount = current.count
    } else if character.isWhitespace {
      endWord()
    } else {
      current.append(character)
      if breaks.contains(character) { keptCount = current.count }
    }
  }

  private mutating func takeQuoted(_ character: Character) {
    if character == (quotation == .single ? "'" : "\"") {
      quotation = .none
    } else {
      current.append(character)
    }
  }

  private mutating func endWord() {
    if isInWord { words.append(current) }
    isInWord = false
    current = ""
    keptCount = 0
  }

  private static func isAssignment(_ word: String) -> Bool {
    guard let sign = word.firstIndex(of: "="), sign != word.startIndex else { return false }
    return word[..<sign].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && !word[..<sign].contains("/")
  }

  /// The part of a value that bash puts in the place of what was typed last, with the quotation that it needs there.
  ///
  /// - Parameter isQuoted: False where bash adds the quotation by itself, as to names of files.
  package func replacement(_ value: String, isQuoted: Bool = true) -> String {
    let text = String(value.dropFirst(keptCount))
    guard isQuoted else { return text }
    switch quotation {
    case .single: return String(text.shellQuoted.dropFirst().dropLast())
    case .double: return text.map { "$`\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    case .none: return text.map { Self.special.contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }
  }

  private static let special: Set<Character> = [
    " ", "\t", "\\", "'", "\"", "$", "`", "&", "|", ";", "<", ">", "(", ")", "*", "?", "[", "]", "{", "}", "!", "#",
    "^",
  ]
}
