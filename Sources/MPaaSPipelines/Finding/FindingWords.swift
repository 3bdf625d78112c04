/// The words by which programs say how bad a finding is, in each language that they speak.
package struct FindingWords: Sendable {
  /// By the word without its colon: `error`, `错误`.
  package var severities: [String: StepFinding.Severity]
  /// The words in front of a place on a line of its own: `at`.
  package var places: Set<String>

  package init(severities: [String: StepFinding.Severity], places: Set<String>) {
    self.severities = severities
    self.places = places
  }

  /// The words of compilers.
  package static let usual = FindingWords(
    severities: ["error": .error, "fatal error": .error, "warning": .warning, "note": .note, "remark": .note],
    places: ["at"])

  /// Splits `error: text` and `错误：text`; nil where no word of a severity stands in front.
  func split(_ text: Substring) -> (severity: StepFinding.Severity, rest: Substring)? {
    guard let colon = text.prefix(40).firstIndex(where: { $0 == ":" || $0 == "：" }),
      let severity = severities[String(text[..<colon])]
    else { return nil }
    return (severity, text[text.index(after: colon)...].drop { $0 == " " })
  }
}
