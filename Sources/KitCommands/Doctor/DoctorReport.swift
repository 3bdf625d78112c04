import MPaaSSupport
import MPaaSTerminal

/// One thing that was looked at, and how it is mended where it is not well.
struct DoctorCheck: Encodable, Sendable {
  enum Status: String, Encodable, Sendable {
    case good
    /// Something works less well or not at all, which not everybody needs.
    case warning
    /// Something that is needed fails.
    case bad
  }

  /// `ptrace`, `core-pattern`, …: `text.doctor-<name>` is its heading.
  let name: String
  let status: Status
  /// The finding.
  let detail: String
  /// The remedy; nil where all is well.
  let help: String?

  init(_ name: String, _ status: Status, _ detail: String, help: String? = nil) {
    self.name = name
    self.status = status
    self.detail = detail
    self.help = help
  }

  /// The same for a purpose that cannot do without: what is missing is a failure.
  var needed: DoctorCheck { status == .warning ? DoctorCheck(name, .bad, detail, help: help) : self }
}

/// The findings of `mpaas doctor`.
struct DoctorReport: Presentable {
  let checks: [DoctorCheck]

  var exit: ExitStatus { checks.contains { $0.status == .bad } ? .negative : .done }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    let width = checks.map { catalogue.text("text.doctor-\($0.name)").displayWidth }.max() ?? 0
    for check in checks {
      let heading = catalogue.text("text.doctor-\(check.name)").padded(toWidth: width)
      document.line(mark(check.status) + StyledText(" \(heading)  ", .emphasis) + StyledText(check.detail))
      if let help = check.help {
        document.line(StyledText("  \(String(repeating: " ", count: width))  → ", .faint) + StyledText(help))
      }
    }
    return document
  }

  private func mark(_ status: DoctorCheck.Status) -> StyledText {
    switch status {
    case .good: StyledText("✓", .good)
    case .warning: StyledText("!", .warning)
    case .bad: StyledText("✗", .bad)
    }
  }
}
