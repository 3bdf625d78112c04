import MPaaSPact
import MPaaSSupport
import MPaaSTerminal

/// The outcome of a verification.
struct PactVerificationView: Presentable {
  struct Interaction: Encodable {
    enum Outcome: String, Encodable {
      case passed, failed, pending
    }

    let consumer: String
    let provider: String
    let description: String
    let states: [String]
    let type: String
    let outcome: Outcome
    let problems: [String]
    let mismatches: [PactMismatchView]
    let warnings: [String]
    let comments: [String]
    let test: String?

    init(_ verdict: PactVerdict, _ catalogue: Catalogue) {
      (consumer, provider) = (verdict.consumer, verdict.provider)
      description = verdict.interaction.description
      states = verdict.interaction.states.map(\.name)
      type = verdict.interaction.type
      outcome = verdict.hasPassed ? .passed : verdict.interaction.isPending ? .pending : .failed
      mismatches = verdict.mismatches.map { PactMismatchView($0, catalogue) }
      warnings = verdict.unchangedStates.map { catalogue.text("text.pact-state-unchanged", ["state": $0]) }
      (comments, test) = (verdict.comments, verdict.testName)
      problems =
        verdict.fault.map { [Self.sentence($0, catalogue)] }
        ?? verdict.headings.map { catalogue.text("text.pact-heading-\($0.rawValue)") }
    }

    private static func sentence(_ fault: PactVerdict.Fault, _ catalogue: Catalogue) -> String {
      switch fault {
      case .state(let name, let reason):
        catalogue.text("text.pact-heading-state", ["state": name, "reason": reason])
      case .noAnswer(let reason): catalogue.text("text.pact-heading-no-answer", ["reason": reason])
      case .generator(let reason): catalogue.text("text.pact-heading-generator", ["reason": reason])
      }
    }
  }

  private enum CodingKeys: String, CodingKey { case passed, failed, pending, interactions }

  let passed: Int
  let failed: Int
  let pending: Int
  let interactions: [Interaction]

  init(_ verdicts: [PactVerdict], _ catalogue: Catalogue) {
    interactions = verdicts.map { Interaction($0, catalogue) }
    passed = interactions.count { $0.outcome == .passed }
    failed = interactions.count { $0.outcome == .failed }
    pending = interactions.count { $0.outcome == .pending }
  }

  var exit: ExitStatus { failed > 0 ? .negative : .done }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    var parties = ""
    for interaction in interactions {
      let own = "\(interaction.consumer) → \(interaction.provider)"
      if own != parties { document.line(StyledText(own, .emphasis)) }
      parties = own
      append(interaction, to: &document, catalogue)
    }
    let values = ["passed": "\(passed)", "failed": "\(failed)", "pending": "\(pending)"]
    document.line(StyledText(catalogue.text("text.pact-sum", values), failed > 0 ? .bad : .good))
    return document
  }

  private func append(_ interaction: Interaction, to document: inout Document, _ catalogue: Catalogue) {
    let word = catalogue.text("text.pact-\(interaction.outcome.rawValue)")
    let style: TextRole =
      switch interaction.outcome {
      case .passed: .good
      case .failed: .bad
      case .pending: .warning
      }
    var line = "  " + StyledText(word, style) + StyledText("  " + interaction.description)
    if !interaction.states.isEmpty {
      line.append("  (\(interaction.states.joined(separator: ", ")))", .faint)
    }
    document.line(line)
    let remarks = interaction.test.map { [catalogue.text("text.pact-test", ["name": $0])] } ?? []
    for remark in remarks + interaction.comments { document.line(StyledText("    \(remark)", .faint)) }
    for warning in interaction.warnings { document.line(StyledText("    \(warning)", .warning)) }
    for problem in interaction.problems { document.line("    " + StyledText(problem)) }
    for mismatch in interaction.mismatches { document.line("      " + mismatch.line) }
  }
}
