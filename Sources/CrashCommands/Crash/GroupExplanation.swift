import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTerminal

/// The calls of a group's newest report that count, and the reasons why the others do not.
struct GroupExplanation: Sendable {
  private let fingerprint: Fingerprint
  private let report: CrashReport
  /// More calls than this are not told, but for those that count.
  private static let most = 40

  /// Nil where the report is in an archive, from which it is not read a second time, or is gone by now.
  init?(_ group: ReportGroup, _ classifier: inout FrameClassifier) throws {
    guard FileStatus(group.example)?.kind == .file, let report = try? ReportFile.read(group.example) else { return nil }
    self.report = report
    fingerprint = Fingerprint(report, &classifier)
  }

  var json: JSONValue {
    .array(
      fingerprint.units.map { unit in
        let word = unit.verdict.word
        var object: JSONValue.Object = [
          "frame": JSONValue(unit.frame), "module": .string(unit.module),
          "function": unit.name.map(JSONValue.string) ?? .null, "counts": .bool(unit.verdict.counts),
          "why": .string(word.name),
        ]
        object["rule_line"] = word.rule.map { JSONValue($0) }
        return .object(object)
      })
  }

  func document(_ group: ReportGroup, _ catalogue: Catalogue) -> Document {
    var document = Document()
    var title = StyledText(group.id.description, .heading)
    title += " " + StyledText(catalogue.text("text.group-strategy-\(fingerprint.strategy.rawValue)"))
    document.line(title)
    document.line("  " + StyledText(catalogue.text("text.group-example", ["path": group.example]), .faint))
    for id in group.merged.sorted() where id != group.id {
      document.line("  " + StyledText(catalogue.text("text.group-merged", ["group": id.description]), .faint))
    }
    var skipped = 0
    for (index, unit) in fingerprint.units.enumerated() {
      guard index < Self.most || unit.verdict.counts else {
        skipped += 1
        continue
      }
      document.line(line(unit, catalogue))
    }
    if skipped > 0 {
      document.line("  " + StyledText(catalogue.text("text.group-more-frames", ["count": "\(skipped)"]), .faint))
    }
    return document
  }

  private func line(_ unit: Fingerprint.Unit, _ catalogue: Catalogue) -> StyledText {
    let word = unit.verdict.word
    let counts = unit.verdict.counts
    var line = StyledText("  " + (counts ? "✓" : "·") + " ", counts ? .good : .faint)
    line.append(String(unit.frame).padded(toWidth: 4), .faint)
    line.append(unit.module.isEmpty ? "???" : unit.module, counts ? .plain : .faint)
    line.append("  ")
    line.append(unit.name ?? "?", counts ? .function : .faint)
    var why = catalogue.text("text.group-why-\(word.name)")
    if let rule = word.rule { why += catalogue.text("text.group-why-rule", ["line": "\(rule)"]) }
    if word.name != "counted" { line.append("  " + why, .faint) }
    return line
  }
}
