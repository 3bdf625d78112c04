import MPaaSLock
package import MPaaSPattern

/// A kind of secret: the words that give it away, its form, and what is none.
package struct SecretRule: Sendable {
  package let id: String
  package let description: String
  /// Words in lower case of which one is in each match; without any, all text is searched.
  package let keywords: [String]
  package let path: Pattern?
  /// The least bits of a secret's characters that count as random; nil where it does not matter.
  package let entropy: Double?
  /// The group that is the secret; 0 for the first one with a text, else the whole match.
  package let group: Int
  package let allowlists: [SecretAllowlist]
  /// The expression; nil for rules about paths alone.
  let expression: SecretExpression?

  package init(
    id: String, description: String, expression: String?, keywords: [String] = [], path: Pattern? = nil,
    entropy: Double? = nil, group: Int = 0, allowlists: [SecretAllowlist] = []
  ) throws(PatternError) {
    self.id = id
    self.description = description
    self.keywords = keywords.map { $0.lowercased() }
    self.path = path
    self.entropy = entropy
    self.group = group
    self.allowlists = allowlists
    self.expression = try expression.map { (text) throws(PatternError) in try SecretExpression(text) }
  }
}

/// The expression of a rule, and, from its first use on, the automaton that tells fast that nothing is there.
final class SecretExpression: Sendable {
  let search: PatternSearch
  private let text: String
  private let automaton = Lock<Automaton>(.unmade)

  private enum Automaton: Sendable {
    case unmade
    case made(Pattern)
    /// Too large an expression: the search must do.
    case none
  }

  init(_ text: String) throws(PatternError) {
    self.text = text
    search = try PatternSearch(text)
  }

  /// The automaton, which takes a while to make.
  var pattern: Pattern? {
    automaton.withLock { automaton in
      if case .unmade = automaton { automaton = (try? Pattern(text)).map { .made($0) } ?? .none }
      return if case .made(let pattern) = automaton { pattern } else { nil }
    }
  }
}
