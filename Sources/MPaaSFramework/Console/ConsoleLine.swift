/// The words of a line: blanks part them, quotation marks hold them together, a backslash takes the next letter as it is.
enum ConsoleLine {
  struct NotClosed: Error {}

  static func words(_ line: String) throws(NotClosed) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for letter in line {
      if isEscaped {
        word = (word ?? "") + String(letter)
        isEscaped = false
      } else if letter == "\\", quote != "'" {
        isEscaped = true
      } else if letter == quote {
        quote = nil
      } else if quote == nil, letter == "\"" || letter == "'" {
        quote = letter
        word = word ?? ""
      } else if quote == nil, letter.isWhitespace {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(letter)
      }
    }
    guard quote == nil, !isEscaped else { throw NotClosed() }
    if let word { words.append(word) }
    return words
  }
}
