import MPaaSCrashReport
package import MPaaSSupport
import MPaaSToolSupport

/// Reports as a SARIF log, which code hosts show as annotations of source lines.
///
/// - Source: Static Analysis Results Interchange Format 2.1.0, OASIS.
package struct SARIFLog: Sendable {
  private let sarif: SARIFDocument
  private static let mostFrames = 200

  /// - Parameter sourceRoot: The folder that paths of sources are told relative to; nil tells them as they are.
  package init(sourceRoot: String? = nil, toolVersion: String) {
    sarif = SARIFDocument(sourceRoot: sourceRoot, toolVersion: toolVersion)
  }

  /// The log: one run, with a result for each report and a rule for each kind of exception.
  package func document(_ digests: [ReportDigest]) -> JSONValue {
    var rules: [String] = []
    var results: [JSONValue] = []
    for digest in digests {
      let rule = ruleID(digest)
      if !rules.contains(rule) { rules.append(rule) }
      results.append(result(digest, rule, rules.firstIndex(of: rule) ?? 0))
    }
    return sarif.document(
      rules: rules.map { SARIFDocument.Rule(id: $0, short: $0, full: $0, help: $0) }, results: results)
  }

  /// `crash/bad-access`, `hang/none`: the kind of report and of exception, without blanks.
  private func ruleID(_ digest: ReportDigest) -> String {
    let words = digest.fingerprint.exception.split { $0 == " " || $0 == "/" }.joined(separator: "-")
    return digest.report.kind.rawValue + "/" + words
  }

  private func result(_ digest: ReportDigest, _ rule: String, _ index: Int) -> JSONValue {
    let stacks = digest.stacks
    var result: JSONValue.Object = [
      "ruleId": .string(rule), "ruleIndex": JSONValue(index), "level": "error",
      "message": ["text": .string(digest.title)],
      "partialFingerprints": ["mpaasCrashGroup/v2": .string(digest.fingerprint.group.description)],
      "properties": .object(
        Dictionary(digest.facts.map { ($0.key, JSONValue.string($0.value)) }, uniquingKeysWith: { $1 })),
    ]
    if let place = Self.place(digest), let location = location(place, needsLine: true) {
      result["locations"] = [location]
    }
    let threads = stacks.filter { !$0.rows.isEmpty && $0.isDecisive }
    if !threads.isEmpty {
      result["stacks"] = .array(
        threads.map { stack in
          [
            "message": ["text": .string(stack.title)],
            "frames": .array(stack.rows.prefix(Self.mostFrames).map { frame($0) }),
          ]
        })
    }
    return .object(result)
  }

  /// Tells whether a report has a line of source that code hosts can show it at; they pass over results without.
  package static func hasPlace(_ digest: ReportDigest) -> Bool { place(digest) != nil }

  /// The call to blame; where it has no line that can be shown, the nearest of the program's own calls that has.
  private static func place(_ digest: ReportDigest) -> ReportDigest.Row? {
    let rows = digest.stacks.first(where: \.isDecisive)?.rows ?? []
    func hasFile(_ row: ReportDigest.Row) -> Bool { row.file.map { !$0.isEmpty } ?? false }
    func hasLine(_ row: ReportDigest.Row) -> Bool { hasFile(row) && (row.line ?? 0) > 0 }
    return rows.first { $0.isBlamed && hasLine($0) } ?? rows.first { $0.isOwn && hasLine($0) }
      ?? rows.first { ($0.isBlamed || $0.isOwn) && hasFile($0) }
  }

  private func frame(_ row: ReportDigest.Row) -> JSONValue {
    var frame: JSONValue.Object = ["module": .string(row.module)]
    frame["location"] = location(row) ?? ["logicalLocations": [logical(row)]]
    return .object(frame)
  }

  private func logical(_ row: ReportDigest.Row) -> JSONValue {
    ["fullyQualifiedName": .string(row.function), "kind": "function"]
  }

  /// - Parameter needsLine: Whether line 1 is told where none is known: code hosts show nothing without.
  private func location(_ row: ReportDigest.Row, needsLine: Bool = false) -> JSONValue? {
    guard let file = row.file, !file.isEmpty else { return nil }
    var physical: JSONValue.Object = ["artifactLocation": sarif.artifact(file)]
    // Line 0 is the compiler's own code, which SARIF does not know.
    if let line = row.line ?? (needsLine ? 1 : nil), line > 0 || needsLine {
      physical["region"] = ["startLine": JSONValue(max(line, 1))]
    }
    return ["physicalLocation": .object(physical), "logicalLocations": [logical(row)]]
  }
}
