import MPaaSPattern
import MPaaSSupport

/// The rules of a scan, with the automaton over all of their words.
package struct SecretRules: Sendable {
  package let rules: [SecretRule]
  /// Conditions for all rules, or for those that they name.
  package let allowlists: [SecretAllowlist]
  let keywords: KeywordAutomaton
  /// For each word the rules that have it.
  let rulesOfKeyword: [[Int]]
  let keywordLengths: [Int]
  /// The rules without words.
  let rulesWithoutKeyword: [Int]

  package init(_ rules: [SecretRule], allowlists: [SecretAllowlist] = []) {
    self.rules = rules
    self.allowlists = allowlists
    var numbers: [String: [Int]] = [:]
    for (number, rule) in rules.enumerated() where rule.expression != nil {
      for keyword in Set(rule.keywords) { numbers[keyword, default: []].append(number) }
    }
    let words = numbers.sorted { $0.key < $1.key }
    keywords = KeywordAutomaton(words.map { Array($0.key.utf8) })
    keywordLengths = words.map(\.key.utf8.count)
    rulesOfKeyword = words.map(\.value)
    rulesWithoutKeyword = rules.indices.filter { rules[$0].keywords.isEmpty && rules[$0].expression != nil }
  }

  /// These rules and others; a rule of the others takes the place of one with the same identifier.
  package func adding(_ others: SecretRules) -> SecretRules {
    let replaced = Set(others.rules.map(\.id))
    return SecretRules(
      rules.filter { !replaced.contains($0.id) } + others.rules, allowlists: allowlists + others.allowlists)
  }

  /// Tells whether an allow list keeps a whole file from being searched.
  package func isAllowed(path: String) -> Bool {
    allowlists.contains { $0.rules.isEmpty && !$0.needsAll && $0.paths.contains { $0.matches(path) } }
  }
}
