import MPaaSPipelines
import MPaaSSupport
import MPaaSTerminal

/// The steps of a run with their times and states.
struct RanPipeline: Presentable {
  struct Finding: Encodable, Sendable {
    let severity: StepFinding.Severity
    let message: String
    let code: String?
    let file: String?
    let line: Int?
    let column: Int?

    init(_ finding: StepFinding) {
      severity = finding.severity
      message = finding.message
      code = finding.code
      file = finding.file
      line = finding.line
      column = finding.column
    }
  }

  struct Step: Encodable, Sendable {
    let name: String
    let run: String
    let state: StepOutcome.State
    /// The exit status; nil where it was not run.
    let status: Int32?
    let seconds: Double
    /// Variables that are not set.
    let missing: [String]
    let findings: [Finding]
  }

  let done: Bool
  let seconds: Double
  let steps: [Step]

  init(_ outcomes: [StepOutcome]) {
    steps = outcomes.map { outcome in
      Step(
        name: outcome.step.name, run: outcome.step.line, state: outcome.state, status: outcome.status,
        seconds: outcome.duration.seconds, missing: outcome.missing, findings: outcome.findings.map(Finding.init))
    }
    done = !outcomes.contains { $0.state == .failed }
    seconds = outcomes.reduce(.zero) { $0 + $1.duration }.seconds
  }

  var exit: ExitStatus { done ? .done : .negative }

  func document(_ catalogue: Catalogue) -> Document {
    var table = Table(columns: [
      .init(catalogue.text("text.ci-column-step")), .init(catalogue.text("text.ci-column-seconds"), isNumeric: true),
      .init(catalogue.text("text.ci-column-state")), .init(catalogue.text("text.ci-column-remark")),
    ])
    for step in steps {
      let role: TextRole = step.state == .done ? .good : step.state == .failed ? .bad : .faint
      table.rows.append([
        StyledText(step.name, .emphasis), StyledText(step.status == nil ? "–" : step.seconds.tenths, .number),
        StyledText(catalogue.text("text.ci-state-\(step.state.rawValue)"), role),
        StyledText(Self.remark(step, catalogue), .faint),
      ])
    }
    return [.table(table), .line(sum(catalogue))]
  }

  private static func remark(_ step: Step, _ catalogue: Catalogue) -> String {
    var remarks: [String] = []
    if let status = step.status, status != 0 {
      remarks.append(catalogue.text("text.ci-remark-status", ["status": "\(status)"]))
    }
    if !step.missing.isEmpty {
      remarks.append(catalogue.text("text.ci-remark-missing", ["names": step.missing.joined(separator: ", ")]))
    }
    if !step.findings.isEmpty {
      remarks.append(catalogue.text("text.ci-remark-findings", ["count": "\(step.findings.count)"]))
    }
    return remarks.joined(separator: catalogue.text("text.ci-remark-separator"))
  }

  private func sum(_ catalogue: Catalogue) -> StyledText {
    let failed = steps.filter { $0.state == .failed }.map(\.name)
    let values = [
      "count": "\(steps.count { $0.state == .done })", "seconds": seconds.tenths,
      "failed": failed.joined(separator: ", "),
    ]
    return StyledText(catalogue.text(done ? "text.ci-run-done" : "text.ci-run-failed", values), done ? .good : .bad)
  }
}

extension Duration {
  /// Seconds, exact to a thousandth.
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds / 1_000_000_000_000_000) / 1000
  }
}

extension Double {
  /// The number with one digit behind the point.
  fileprivate var tenths: String {
    let tenths = Int((self * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
