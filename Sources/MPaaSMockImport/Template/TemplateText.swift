/// A word in a template's braces.
indirect enum TemplateWord: Sendable, Equatable {
  case literal(String)
  case name(String)
  /// Words in parentheses.
  case call([TemplateWord], [TemplateOption])

  /// The word as templates write it.
  var text: String {
    switch self {
    case .literal(let text):
      "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'"))'"
    case .name(let name): name
    case .call(let words, let options): "(\((words.map(\.text) + options.map(\.text)).joined(separator: " ")))"
    }
  }

  /// The text of a literal or a number; nil for what is known only when a request comes.
  var constant: String? {
    switch self {
    case .literal(let text): text
    case .name(let name): Double(name) == nil ? nil : name
    case .call: nil
    }
  }
}

/// A word with a name: `max=10`.
struct TemplateOption: Sendable, Equatable {
  let name: String
  let value: TemplateWord

  var text: String { "\(name)=\(value.text)" }
}

/// An expression in braces.
struct TemplateExpression: Sendable {
  /// `#` or `/` in front, or nothing.
  let mark: String
  let words: [TemplateWord]
  let options: [TemplateOption]

  /// The helper or the value that it begins with.
  var helper: String {
    if case .name(let name) = words.first { name } else { "" }
  }

  /// Reads what stands between the braces; nil for a comment, and where parentheses or quotes do not end.
  init?(_ text: some StringProtocol) {
    var text = Substring(String(text)).drop { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "~" }
    while text.last == "~" || text.last == " " { text.removeLast() }
    guard let first = text.first, first != "!" else { return nil }
    mark = "#/^".contains(first) ? String(first) : ""
    var rest = text.dropFirst(mark.isEmpty ? 0 : 1)
    guard let (words, options) = Self.words(&rest, depth: 0), rest.isEmpty else { return nil }
    self.words = words
    self.options = options
  }

  private static func words(
    _ rest: inout Substring, depth: Int
  ) -> (words: [TemplateWord], options: [TemplateOption])? {
    guard depth < 32 else { return nil }
    var words: [TemplateWord] = []
    var options: [TemplateOption] = []
    while true {
      rest = rest.drop { $0 == " " || $0 == "\n" || $0 == "\r" || $0 == "\t" }
      guard let first = rest.first else { return depth == 0 ? (words, options) : nil }
      if first == ")" {
        guard depth > 0 else { return nil }
        rest.removeFirst()
        return (words, options)
      }
      let name = rest.prefix { !" \n\r\t()=\"'".contains($0) }
      if !name.isEmpty, rest[name.endIndex...].first == "=" {
        rest = rest[rest.index(after: name.endIndex)...]
        guard let value = word(&rest, depth: depth) else { return nil }
        options.append(TemplateOption(name: String(name), value: value))
      } else {
        guard let value = word(&rest, depth: depth) else { return nil }
        words.append(value)
      }
    }
  }

  private static func word(_ rest: inout Substring, depth: Int) -> TemplateWord? {
    guard let first = rest.first else { return nil }
    if first == "(" {
      rest.removeFirst()
      return words(&rest, depth: depth + 1).map { .call($0.words, $0.options) }
    }
    if first == "'" || first == "\"" {
      rest.removeFirst()
      var text = ""
      while let next = rest.popFirst() {
        if next == first { return .literal(text) }
        if next == "\\", let escaped = rest.popFirst() { text.append(escaped) } else { text.append(next) }
      }
      return nil
    }
    let name = rest.prefix { !" \n\r\t()\"'".contains($0) }
    guard !name.isEmpty else { return nil }
    rest = rest[name.endIndex...]
    return .name(String(name))
  }
}

/// The change of a template's expressions into those of the mock.
struct TemplateText {
  /// Names what an expression becomes: a text with its braces; nil where there is nothing like it.
  let translate: (TemplateExpression) -> String?

  /// Blocks that all of Handlebars have.
  static let blocks: Set<String> = ["if", "unless", "each", "with", "else", "this", "lookup"]

  /// The template in the language of the mock, and the helpers that it does not have.
  func translated(_ text: String) -> (text: String, refused: [String]) {
    var result = ""
    var refused: [String] = []
    var rest = text[...]
    while let open = rest.firstRange("{{") {
      result += rest[..<open.lowerBound]
      let isTriple = rest[open.upperBound...].first == "{"
      let begin = isTriple ? rest.index(after: open.upperBound) : open.upperBound
      guard let close = rest[begin...].firstRange(isTriple ? "}}}" : "}}") else {
        rest = rest[open.lowerBound...]
        break
      }
      let inner = rest[begin..<close.lowerBound]
      rest = rest[close.upperBound...]
      guard let expression = TemplateExpression(inner) else { continue }
      if let text = translate(expression) {
        result += text
      } else {
        let name = ([expression.helper] + expression.words.dropFirst().prefix(1).compactMap(\.constant))
          .joined(separator: " ")
        refused.append(name)
        if expression.mark.isEmpty { result += Self.place(of: name, after: result) }
      }
    }
    return (result + rest, refused)
  }

  /// The text in the place of an expression: null where JSON has a value there, else its name.
  private static func place(of name: String, after text: String) -> String {
    let before = text.reversed().first { !" \n\r\t".contains($0) }
    return before.map { ":[,".contains($0) } == true ? "null" : name
  }
}

extension Substring {
  /// The first place of some ASCII text.
  fileprivate func firstRange(_ text: String) -> Range<Index>? {
    var place = startIndex
    while place < endIndex {
      if self[place...].hasPrefix(text) { return place..<index(place, offsetBy: text.count) }
      place = index(after: place)
    }
    return nil
  }
}
