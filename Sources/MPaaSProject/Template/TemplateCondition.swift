/// The condition under which a file belongs to what is made: variables joined by `&&` and `||`, the first binding
/// closer.
///
/// A term is `name`, `!name`, `name == word` or `name != word`; a word may stand in double quotes.
package struct TemplateCondition: Sendable, Hashable {
  struct Term: Sendable, Hashable {
    let variable: String
    /// The word that it is compared with; nil where only something has to be there.
    let word: String?
    let isNegated: Bool
  }

  /// One of these holds where all of its terms do.
  let alternatives: [[Term]]
  package let text: String

  /// - Returns: nil where the text is no condition.
  package init?(_ text: String) {
    var alternatives: [[Term]] = []
    for alternative in Self.split(text, "||") {
      var terms: [Term] = []
      for part in Self.split(alternative, "&&") {
        guard let term = Term(part) else { return nil }
        terms.append(term)
      }
      alternatives.append(terms)
    }
    self.alternatives = alternatives
    self.text = text
  }

  package var variables: [String] { alternatives.joined().map(\.variable) }

  package func holds(_ values: TemplateValues) -> Bool {
    alternatives.contains { $0.allSatisfy { $0.holds(values) } }
  }

  private static func split(_ text: String, _ separator: String) -> [String] {
    var parts: [String] = []
    var rest = text[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}

extension TemplateCondition.Term {
  fileprivate init?(_ text: String) {
    func trimmed(_ text: some StringProtocol) -> String {
      String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    for (sign, isNegated) in [("==", false), ("!=", true)] {
      guard let range = text.firstRange(of: sign) else { continue }
      var word = trimmed(text[range.upperBound...])
      if word.hasPrefix("\""), word.hasSuffix("\""), word.count >= 2 { word = String(word.dropFirst().dropLast()) }
      guard !word.contains("\""), !word.contains("=") else { return nil }
      self.init(variable: trimmed(text[..<range.lowerBound]), word: word, isNegated: isNegated)
      guard SwiftWords.isName(variable) else { return nil }
      return
    }
    let whole = trimmed(text)
    let isNegated = whole.hasPrefix("!")
    self.init(variable: isNegated ? trimmed(whole.dropFirst()) : whole, word: nil, isNegated: isNegated)
    guard SwiftWords.isName(variable) else { return nil }
  }

  func holds(_ values: TemplateValues) -> Bool {
    let value = values[variable]
    guard let word else { return (value?.isSomething ?? false) != isNegated }
    return (value?.holds(word) ?? word.isEmpty) != isNegated
  }
}
