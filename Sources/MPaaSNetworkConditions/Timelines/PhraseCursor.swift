import MPaaSSupport

/// The words of one line of a timeline, or of a phrase in a file, with their places.
struct PhraseCursor {
  struct Token: Equatable {
    /// A word, a sign (`:` `,` `±` `=`), or what stands between quotation marks.
    let text: String
    let isQuoted: Bool
    /// From 1, in Unicode scalars.
    let column: Int
  }

  let file: String
  let line: Int
  private var tokens: [Token]
  private var index = 0
  /// The end of the line.
  private let endColumn: Int
  /// Tells whether columns are known: phrases in TOML strings stand somewhere in their line.
  private let hasColumns: Bool

  init(_ text: some StringProtocol, file: String, line: Int, hasColumns: Bool = true) throws(NetworkError) {
    self.file = file
    self.line = line
    self.hasColumns = hasColumns
    var tokens: [Token] = []
    let characters = Array(text.unicodeScalars)
    var place = 0
    while place < characters.count {
      let character = characters[place]
      let column = place + 1
      if character.properties.isWhitespace {
        place += 1
      } else if character == "#" {
        break
      } else if character == "\"" {
        let (quoted, after) = try Self.quoted(characters, place, file, line, hasColumns ? column : nil)
        tokens.append(Token(text: quoted, isQuoted: true, column: column))
        place = after
      } else if [":", ",", "±", "=", "："].contains(character) {
        tokens.append(
          Token(text: character == "：" ? ":" : String(Character(character)), isQuoted: false, column: column))
        place += 1
      } else if character == "+", place + 1 < characters.count, ["-", "/"].contains(characters[place + 1]) {
        let sign = characters[place...].prefix { ["+", "-", "/"].contains($0) }
        tokens.append(Token(text: "±", isQuoted: false, column: column))
        place += sign.count
      } else {
        let word = characters[place...].prefix { !$0.properties.isWhitespace && !Self.signs.contains($0) }
        guard !word.isEmpty else {
          throw NetworkError(
            .timelineSyntax, ["found": String(Character(character)), "expected": "a word"],
            at: .text(file: file, line: line, column: hasColumns ? column : nil))
        }
        tokens.append(Token(text: Self.string(word), isQuoted: false, column: column))
        place += word.count
      }
    }
    self.tokens = tokens
    endColumn = characters.count + 1
  }

  /// The signs that end a word.
  private static let signs: Set<Unicode.Scalar> = [":", ",", "±", "=", "：", "\"", "#", "+"]

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  /// `\"`, `\\`, `\n`, `\r` and `\t` stand for what they do in JSON.
  private static func quoted(
    _ characters: [Unicode.Scalar], _ start: Int, _ file: String, _ line: Int, _ column: Int?
  ) throws(NetworkError) -> (String, Int) {
    var text: [Unicode.Scalar] = []
    var place = start + 1
    while place < characters.count {
      let character = characters[place]
      if character == "\"" { return (string(text[...]), place + 1) }
      if character == "\\", place + 1 < characters.count {
        place += 1
        let escapes: [Unicode.Scalar: Unicode.Scalar] = ["n": "\n", "r": "\r", "t": "\t"]
        text.append(escapes[characters[place]] ?? characters[place])
      } else {
        text.append(character)
      }
      place += 1
    }
    throw NetworkError(
      .timelineSyntax, ["found": "end of line", "expected": "\""], at: .text(file: file, line: line, column: column))
  }

  var isAtEnd: Bool { index == tokens.count }
  var next: Token? { index < tokens.count ? tokens[index] : nil }

  /// The place of the next word.
  var place: Place { place(of: next) }

  func place(of token: Token?) -> Place {
    .text(file: file, line: line, column: hasColumns ? token?.column ?? endColumn : nil)
  }

  /// Goes past these words, or past none.
  mutating func take(_ words: String...) -> Bool {
    guard tokens.count - index >= words.count else { return false }
    for (offset, word) in words.enumerated() {
      let token = tokens[index + offset]
      if token.isQuoted || token.text.lowercased() != word { return false }
    }
    index += words.count
    return true
  }

  /// Makes the next word words of its own where it is the name of a toxic (`dns_delay`): so conditions are read by the
  /// names that the API gives them too.
  mutating func splitName() {
    guard let token = next, !token.isQuoted, Condition.Kind(rawValue: token.text.lowercased()) != nil else { return }
    let words = token.text.split(separator: "_")
    tokens.replaceSubrange(
      index...index, with: words.map { Token(text: String($0), isQuoted: false, column: token.column) })
  }

  mutating func advance() { index = min(index + 1, tokens.count) }

  /// The error that something else should stand here.
  func unexpected(_ expected: String) -> NetworkError {
    NetworkError(
      .timelineSyntax, ["found": next.map(\.text) ?? "end of line", "expected": expected], at: place)
  }

  mutating func expect(_ word: String) throws(NetworkError) {
    guard take(word) else { throw unexpected("`\(word)`") }
  }

  /// Demands that nothing is left of the line.
  func end(_ expected: String = "`,` or the end of the line") throws(NetworkError) {
    guard isAtEnd else { throw unexpected(expected) }
  }

  /// A word or a quoted text.
  mutating func text(_ expected: String) throws(NetworkError) -> String {
    guard let token = next, token.isQuoted || ![":", ",", "±", "="].contains(token.text) else {
      throw unexpected(expected)
    }
    advance()
    return token.text
  }

  // MARK: - Quantities

  mutating func duration() throws(NetworkError) -> Duration {
    try quantity("`10s`, `1m30s`, `300ms`", Quantity.duration)
  }
  mutating func rate() throws(NetworkError) -> Int64 { try quantity("`780kbit/s`, `5Mbit/s`", Quantity.rate) }
  mutating func size() throws(NetworkError) -> Int64 { try quantity("`512B`, `10kB`", Quantity.size) }
  mutating func share() throws(NetworkError) -> Double { try quantity("`2%`, `0.5%`", Quantity.share) }
  mutating func number() throws(NetworkError) -> Double { try quantity("`1`, `2.5`", Quantity.number) }

  /// The next word, with the word behind it where a unit stands apart: `300 ms`.
  private mutating func quantity<Value>(
    _ examples: String, _ read: (String) -> Value?
  ) throws(NetworkError) -> Value {
    guard let token = next, !token.isQuoted, token.text.first?.isNumber == true else { throw unexpected(examples) }
    if token.text.last?.isNumber == true, index + 1 < tokens.count, !tokens[index + 1].isQuoted,
      let value = read(token.text + tokens[index + 1].text)
    {
      index += 2
      return value
    }
    guard let value = read(token.text) else {
      throw NetworkError(.quantityMalformed, ["value": token.text, "examples": examples], at: place)
    }
    index += 1
    return value
  }
}

extension NetworkError.Code {
  /// A word of a timeline stands where another should.
  package static var timelineSyntax: Self { malformed("net-timeline-syntax") }
  /// A time, rate, size or share that is none.
  package static var quantityMalformed: Self { malformed("net-quantity-malformed") }
}
