import MPaaSPipelines
import MPaaSTerminal

extension FindingWords {
  /// The words of compilers, and those of the kit's own commands in each language.
  static var all: FindingWords {
    var words = FindingWords.usual
    for language in Language.allCases {
      let catalogue = Catalogue(language: language)
      words.places.insert(catalogue.text("text.at"))
      for (key, severity) in keys {
        words.severities[catalogue.text(key).filter { $0 != ":" && $0 != "：" }] = severity
      }
    }
    return words
  }

  private static let keys: [(String, StepFinding.Severity)] = [
    ("text.error", .error), ("text.warning", .warning), ("text.finding-error", .error),
    ("text.finding-warning", .warning), ("text.lint-error", .error), ("text.lint-warning", .warning),
    ("text.lint-note", .note), ("text.project-severity-error", .error), ("text.project-severity-warning", .warning),
    ("text.project-severity-note", .note),
  ]
}
