/// The words of a report in one language.
package struct ScanWords: Sendable {
  /// The sentence of a finding.
  package var message: @Sendable (ScanFinding) -> String
  /// The sentence of a kind of finding without a case.
  package var summary: @Sendable (_ id: String) -> String
  package var explanation: @Sendable (_ id: String) -> String
  package var help: @Sendable (_ id: String) -> String
  /// Headings of pages, by their key.
  package var heading: @Sendable (_ key: String) -> String
  /// The tag of the language in HTML.
  package var language: String

  package init(
    language: String, message: @escaping @Sendable (ScanFinding) -> String,
    summary: @escaping @Sendable (String) -> String, explanation: @escaping @Sendable (String) -> String,
    help: @escaping @Sendable (String) -> String, heading: @escaping @Sendable (String) -> String
  ) {
    (self.language, self.message, self.summary) = (language, message, summary)
    (self.explanation, self.help, self.heading) = (explanation, help, heading)
  }
}

/// The tool that wrote a document, and when.
package struct ScanTool: Sendable {
  package let version: String
  /// Seconds since 1970.
  package let time: Int

  package init(version: String, time: Int) {
    self.version = version
    self.time = time
  }
}
