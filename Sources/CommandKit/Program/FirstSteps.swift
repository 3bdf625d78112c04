import MPaaSTerminal

/// The answer to a call without words: the commands to start with.
struct FirstSteps: Presentable {
  struct Step: Encodable {
    let command: String
    let purpose: String
  }

  let steps: [Step]

  init(_ catalogue: Catalogue) {
    let commands = [
      ("doctor", "mpaas doctor"), ("crash", "mpaas crash run -- PROGRAM"), ("createapp", "mpaas createapp NAME"),
      ("sdk", "mpaas sdk"), ("net", "mpaas net run --profile NAME -- PROGRAM"),
    ]
    steps = commands.map { Step(command: $1, purpose: catalogue.text("text.first-step-\($0)")) }
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document: Document = [.line(StyledText(catalogue.text("text.first-steps"))), .line("")]
    for step in steps {
      document.line("  " + StyledText(step.command, .emphasis))
      document.line("      " + StyledText(step.purpose))
    }
    document.line()
    for key in ["all", "task", "one"] { document.line(StyledText(catalogue.text("text.first-steps-\(key)"), .faint)) }
    return document
  }
}
