/// The outcome of a step.
package struct StepOutcome: Sendable, Equatable {
  package enum State: String, Sendable, Encodable, CaseIterable {
    case done, failed
    /// A variable that it needs is not set.
    case skipped
    /// An earlier step failed.
    case left
  }

  package let step: PipelineStep
  package let state: State
  /// The exit status of the line; nil where it was not run.
  package let status: Int32?
  package let duration: Duration
  package let findings: [StepFinding]
  /// The variables that are not set.
  package let missing: [String]

  package init(
    _ step: PipelineStep, _ state: State, status: Int32? = nil, duration: Duration = .zero,
    findings: [StepFinding] = [], missing: [String] = []
  ) {
    self.step = step
    self.state = state
    self.status = status
    self.duration = duration
    self.findings = findings
    self.missing = missing
  }
}
