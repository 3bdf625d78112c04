/// The calls of programs in what is typed into a shell, as far as examples of the help need it: pipes, `;`, `&&`, `&`,
/// quotes, redirections, variables, `$(…)`, and here documents, whose lines are no calls.
enum ShellCall {
  static func calls(in text: String) -> [[String]] {
    var calls: [[String]] = []
    var end: String?
    for line in text.split(separator: "\n") {
      if let mark = end {
        if line == mark { end = nil }
        continue
      }
      let words = words(of: line)
      calls += words.split { ["|", ";", "&&", "||", "&"].contains($0) }.map { call(of: Array($0)) }
      end = words.first { $0.hasPrefix("<<") && $0 != "<<<" }.map { String($0.dropFirst(2)) }
    }
    return calls
  }

  /// The words of one call without variables before the program and without redirections.
  private static func call(of words: [String]) -> [String] {
    var call: [String] = []
    var isTarget = false
    for word in words {
      if isTarget {
        isTarget = false
      } else if [">", "<", "2>", ">>", "<<<"].contains(word) {
        isTarget = true
      } else if !word.hasPrefix("<<"), !(call.isEmpty && word.contains("=")), word != "2>&1" {
        call.append(word)
      }
    }
    return call
  }

  private static func words(of line: Substring) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in filled(line) {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " || character == ";" {
        if let whole = word { words.append(whole) }
        if character == ";" { words.append(";") }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  /// The line with a number in the place of what a shell would put in: a variable, or what a program prints.
  private static func filled(_ line: Substring) -> String {
    var isQuoted = false
    var text = ""
    var rest = line
    while let character = rest.popFirst() {
      if character == "'" { isQuoted.toggle() }
      guard !isQuoted, character == "$" else {
        text.append(character)
        continue
      }
      let end = rest.first == "(" ? rest.firstIndex(of: ")").map { rest.index(after: $0) } : nil
      rest = end.map { rest[$0...] } ?? rest.drop { $0.isLetter || $0 == "_" }
      text += "4711"
    }
    return text
  }
}
