package import MPaaSSupport
import MPaaSToolSupport

/// Findings as a SARIF log, which code hosts show.
package struct ScanSARIF: Sendable {
  private let words: ScanWords
  private let tool: ScanTool

  package init(_ words: ScanWords, _ tool: ScanTool) {
    self.words = words
    self.tool = tool
  }

  package func document(_ report: ScanReport, _ judgement: ScanJudgement) -> JSONValue {
    let document = SARIFDocument(toolVersion: tool.version)
    let all = judgement.counted + judgement.known + judgement.allowed.map(\.finding)
    let rules = Set(all.map(\.id.name)).sorted()
    let indexes = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1, $0) })
    func result(_ finding: ScanFinding, _ more: JSONValue.Object = [:]) -> JSONValue {
      var members: JSONValue.Object = [
        "ruleId": .string(finding.id.name), "ruleIndex": JSONValue(indexes[finding.id.name] ?? 0),
        "level": .string(finding.severity.sarifLevel), "message": ["text": .string(words.message(finding))],
        "locations": [location(finding, document)],
        "partialFingerprints": ["mpaasScan/v1": .string(report.key(of: finding))],
        "properties": properties(finding),
      ]
      for (name, value) in more { members[name] = value }
      return .object(members)
    }
    let results =
      judgement.counted.map { result($0, ["baselineState": "new"]) }
      + judgement.known.map { result($0, ["baselineState": "unchanged"]) }
      + judgement.allowed.map { finding, reason in
        result(finding, ["suppressions": [["kind": "external", "justification": .string(reason)]]])
      }
    return document.document(
      rules: rules.map { id in
        SARIFDocument.Rule(
          id: id, short: words.summary(id), full: words.explanation(id), help: words.help(id),
          level: (ScanRule.all.first { $0.id.name == id }?.severity ?? .medium).sarifLevel)
      }, results: results)
  }

  private func properties(_ finding: ScanFinding) -> JSONValue {
    var members: JSONValue.Object = [
      "severity": .string(finding.severity.rawValue), "evidence": .string(finding.evidence),
    ]
    if let masvs = finding.masvs { members["masvs"] = .string(masvs) }
    if let architecture = finding.place.architecture { members["architecture"] = .string(architecture) }
    return .object(members)
  }

  private func location(_ finding: ScanFinding, _ document: SARIFDocument) -> JSONValue {
    let path = finding.place.path
    let file = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    var physical: JSONValue.Object = ["artifactLocation": document.artifact(file)]
    if let offset = finding.place.offset { physical["region"] = ["byteOffset": JSONValue(offset)] }
    return ["physicalLocation": .object(physical)]
  }
}

extension ScanSeverity {
  /// The level of a result, as SARIF has three of them.
  var sarifLevel: String {
    switch self {
    case .info, .low: "note"
    case .medium: "warning"
    case .high, .critical: "error"
    }
  }
}
