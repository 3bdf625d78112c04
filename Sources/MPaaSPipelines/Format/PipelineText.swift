import MPaaSProject

/// The text of a run in a format: groups, lines and annotations.
package struct PipelineText: Sendable {
  package let format: PipelineFormat
  package let paths: FindingPaths
  /// The tag of the language that titles are in.
  package let language: String

  package init(_ format: PipelineFormat, paths: FindingPaths, language: String) {
    self.format = format
    self.paths = paths
    self.language = language
  }

  /// The lines of an event, each with its end.
  package func text(of event: PipelineRun.Event) -> String {
    switch event {
    case .began(let step, let time): opening(step, step.title.text(language), time)
    case .line(let line): line + "\n"
    case .ended(let outcome, let time): closing(outcome, time)
    }
  }

  private func opening(_ step: PipelineStep, _ title: String, _ time: Int64) -> String {
    switch format {
    case .plain: "== \(step.name): \(title)\n$ \(step.line)\n"
    case .github: "::group::\(title)\n$ \(step.line)\n"
    case .gitlab: "\u{1b}[0Ksection_start:\(time):mpaas_\(step.name)\r\u{1b}[0K\(title)\n$ \(step.line)\n"
    }
  }

  private func closing(_ outcome: StepOutcome, _ time: Int64) -> String {
    switch format {
    case .plain: "\n"
    case .github: "::endgroup::\n" + GitHubAnnotations(paths: paths).lines(of: outcome)
    case .gitlab: "\u{1b}[0Ksection_end:\(time):mpaas_\(outcome.step.name)\r\u{1b}[0K\n"
    }
  }
}
