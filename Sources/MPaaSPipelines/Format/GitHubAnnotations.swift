/// The findings of a step as GitHub shows them beside the lines of a change.
///
/// - Source: GitHub Actions, "Workflow commands", setting an error message.
package struct GitHubAnnotations: Sendable {
  package let paths: FindingPaths

  package init(paths: FindingPaths) {
    self.paths = paths
  }

  /// The commands of a step, one a line.
  ///
  /// A step that failed and told no error is an error itself.
  package func lines(of outcome: StepOutcome) -> String {
    var lines = outcome.findings.map(line)
    if outcome.state == .failed, !outcome.findings.contains(where: { $0.severity == .error }) {
      let message = "\(outcome.step.line): exit status \(outcome.status ?? 1)"
      lines.append("::error title=\(Self.property(outcome.step.name))::\(Self.data(message))")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func line(_ finding: StepFinding) -> String {
    let word = finding.severity == .note ? "notice" : finding.severity.rawValue
    var properties: [(String, String)] = []
    if let file = finding.file { properties.append(("file", paths.path(file))) }
    if let line = finding.line { properties.append(("line", String(line))) }
    if let column = finding.column { properties.append(("col", String(column))) }
    if let code = finding.code { properties.append(("title", code)) }
    let list = properties.map { "\($0.0)=\(Self.property($0.1))" }.joined(separator: ",")
    return "::\(word)\(list.isEmpty ? "" : " " + list)::\(Self.data(finding.message))"
  }

  private static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
