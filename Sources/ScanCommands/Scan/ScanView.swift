import CommandKit
import MPaaSScan
import MPaaSSupport
import MPaaSTerminal

/// A report for a person, and as JSON.
struct ScanView: Presentable {
  private let report: ScanReport
  private let judgement: ScanJudgement
  private let words: ScanWords

  init(_ report: ScanReport, _ judgement: ScanJudgement, _ words: ScanWords) {
    self.report = report
    self.judgement = judgement
    self.words = words
  }

  func encode(to encoder: any Encoder) throws {
    try report.json(judgement, words).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    var told: Set<String> = []
    for finding in judgement.counted {
      var line = StyledText(place(finding), .path) + ": "
      line.append(words.heading("severity-\(finding.severity.rawValue)"), role(finding.severity))
      document.line(line + StyledText(": " + words.message(finding)) + StyledText(" [\(finding.id.name)]", .faint))
      // Once is enough for each kind.
      let help = words.help(finding.id.name)
      guard told.insert(finding.id.name).inserted, !help.isEmpty else { continue }
      let gap = catalogue.language == .english ? " " : ""
      document.line("  " + StyledText(catalogue.text("text.help"), .good) + StyledText(gap + help))
    }
    document.line(sum(catalogue))
    for allowance in judgement.expired {
      let values = ["id": allowance.id, "reason": allowance.reason, "day": allowance.expires?.description ?? ""]
      document.line(StyledText(catalogue.text("text.scan-expired", values), .warning))
    }
    return document
  }

  private func place(_ finding: ScanFinding) -> String {
    var text = finding.place.path
    if let architecture = finding.place.architecture { text += " (\(architecture))" }
    if let offset = finding.place.offset { text += " +0x" + String(offset, radix: 16) }
    return text
  }

  private func role(_ severity: ScanSeverity) -> TextRole {
    switch severity {
    case .critical, .high: .bad
    case .medium: .warning
    case .low, .info: .faint
    }
  }

  private func sum(_ catalogue: Catalogue) -> StyledText {
    let values = [
      "images": "\(report.images.count)", "files": "\(report.files)", "findings": "\(judgement.counted.count)",
      "known": "\(judgement.known.count)", "allowed": "\(judgement.allowed.count)",
    ]
    return StyledText(
      catalogue.text("text.scan-sum", values), judgement.counted.isEmpty ? .good : .emphasis)
  }
}
