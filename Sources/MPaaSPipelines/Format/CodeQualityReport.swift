import MPaaSDigests
package import MPaaSSupport

/// The findings of steps as GitLab's merge requests show them.
///
/// - Source: GitLab, "Code Quality", the format of a report.
package struct CodeQualityReport: Sendable {
  package static let fileName = "gl-code-quality-report.json"

  package let paths: FindingPaths

  package init(paths: FindingPaths) {
    self.paths = paths
  }

  /// The report with the findings of steps; those that a report had of the same steps go, since each step of a job adds
  /// to one file.
  ///
  /// - Parameter old: The report so far; what is none counts as empty.
  package func report(of outcomes: [StepOutcome], adding old: JSONValue?) -> JSONValue {
    let ran = outcomes.filter { $0.status != nil }
    let kept = (old?.array ?? []).filter { entry in
      let check = entry.object?["check_name"]?.string ?? ""
      return !ran.contains { check.hasPrefix($0.step.name + ":") }
    }
    return .array(kept + ran.flatMap { outcome in outcome.findings.compactMap { entry($0, outcome.step) } })
  }

  /// - Returns: nil for a finding without a file, which GitLab cannot place.
  private func entry(_ finding: StepFinding, _ step: PipelineStep) -> JSONValue? {
    guard let file = finding.file else { return nil }
    let path = paths.path(file)
    let severities: [StepFinding.Severity: String] = [.error: "major", .warning: "minor", .note: "info"]
    // Lines move as a file grows; what is found in it stays the same.
    let facts = [step.name, finding.code ?? "", path, "\(finding.line ?? 1)", finding.message].joined(separator: "\0")
    return [
      "description": .string(finding.message),
      "check_name": .string(step.name + ":" + (finding.code ?? finding.severity.rawValue)),
      "fingerprint": .string(Array(facts.utf8).sha256.hexadecimal),
      "severity": .string(severities[finding.severity] ?? "info"),
      "location": ["path": .string(path), "lines": ["begin": JSONValue(finding.line ?? 1)]],
    ]
  }
}
