import MPaaSSecurity
import MPaaSSecurityTools
import MPaaSSupport
import MPaaSTerminal

/// The findings about a process; a negative answer where there are any.
struct CheckedProcessView: Presentable {
  private let checked: CheckedProcess
  private let findings: [Finding]

  init(_ checked: CheckedProcess, least: Finding.Confidence) {
    self.checked = checked
    findings = checked.findings.filter { $0.confidence >= least }
  }

  var exit: ExitStatus { findings.isEmpty ? .done : .negative }

  func encode(to encoder: any Encoder) throws {
    try JSONValue.object([
      "pid": JSONValue(Int(checked.process)), "name": .string(checked.name),
      "compared_bytes": JSONValue(Int(clamping: checked.comparedBytes)),
      "not_compared": .array(checked.unread.map(JSONValue.string)), "findings": .array(findings.map(Self.json)),
    ]).encode(to: encoder)
  }

  private static func json(_ finding: Finding) -> JSONValue {
    var object: [String: JSONValue] = [
      "kind": .string(finding.kind.rawValue), "confidence": .string(finding.confidence.rawValue),
      "evidence": .string(finding.evidence), "bypass": .string(finding.bypass),
    ]
    object["subject"] = finding.subject.map(JSONValue.string)
    object["name"] = finding.name.map(JSONValue.string)
    object["address"] = finding.address.map { .string($0.hexadecimal) }
    return .object(object)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    let process = ["pid": "\(checked.process)", "name": checked.name]
    for finding in findings {
      let confidence = catalogue.text("text.security-" + finding.confidence.rawValue)
      document.line(
        StyledText(confidence, finding.confidence == .possible ? .warning : .bad) + "  "
          + StyledText(text(finding, catalogue)))
      document.line("  " + StyledText(catalogue.text("text.security-bypass-" + finding.kind.rawValue), .faint))
    }
    if findings.isEmpty {
      document.line(StyledText(catalogue.text("text.security-nothing", process), .good))
    } else {
      let values = process.merging(["count": "\(findings.count)"]) { $1 }
      document.line(StyledText(catalogue.text("text.security-found", values), .emphasis))
    }
    document.line(
      StyledText(
        catalogue.text("text.security-compared", ["size": ByteCount(checked.comparedBytes).description]), .faint))
    for path in checked.unread.prefix(8) {
      document.line(StyledText(catalogue.text("text.security-unread", ["file": path]), .faint))
    }
    return document
  }

  private func text(_ finding: Finding, _ catalogue: Catalogue) -> String {
    var key = "text.security-" + finding.kind.rawValue
    if finding.kind == .frida {
      key += finding.name != nil ? "-thread" : finding.subject == "D-Bus" ? "-port" : "-file"
    }
    let nothing = catalogue.text("text.security-no-file")
    return catalogue.text(
      key,
      [
        "subject": finding.subject ?? nothing, "name": finding.name ?? "?",
        "address": (finding.address ?? 0).hexadecimal, "number": "\(finding.number ?? 0)",
        "target": (finding.number ?? 0).hexadecimal,
      ])
  }
}

extension UInt {
  fileprivate var hexadecimal: String { "0x" + String(self, radix: 16) }
}
