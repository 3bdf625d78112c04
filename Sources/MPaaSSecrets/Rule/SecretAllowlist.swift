package import MPaaSPattern

/// Conditions under which something that a rule finds is no secret.
package struct SecretAllowlist: Sendable {
  /// The part that the expressions are held against.
  package enum Target: String, Sendable {
    case secret, match, line
  }

  package var expressions: [Pattern] = []
  package var target = Target.secret
  /// Expressions for paths of files.
  package var paths: [Pattern] = []
  /// Texts in lower case of which none may be in a secret.
  package var stopwords: [String] = []
  /// Tells whether all kinds of conditions that it has must hold, not only one.
  package var needsAll = false
  /// The rules that it is for; empty for all.
  package var rules: Set<String> = []

  package init() {}

  func allows(secret: String, match: String, line: String, path: String) -> Bool {
    var held: [Bool] = []
    if !paths.isEmpty { held.append(paths.contains { $0.matches(path) }) }
    if !expressions.isEmpty {
      let text =
        switch target {
        case .secret: secret
        case .match: match
        case .line: line
        }
      held.append(expressions.contains { $0.matches(text) })
    }
    if !stopwords.isEmpty {
      let lower = secret.lowercased()
      held.append(stopwords.contains { lower.utf8.contains(bytes: $0.utf8) })
    }
    return needsAll ? !held.isEmpty && held.allSatisfy(\.self) : held.contains(true)
  }
}

extension String.UTF8View {
  /// Tells whether other bytes stand anywhere in these.
  func contains(bytes other: String.UTF8View) -> Bool {
    guard let first = other.first else { return true }
    var rest = self[...]
    while let place = rest.firstIndex(of: first) {
      rest = rest[place...]
      if rest.starts(with: other) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
