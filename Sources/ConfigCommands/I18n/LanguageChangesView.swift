import CommandKit
import MPaaSLanguages
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

/// The changes done to files of texts, or planned.
struct LanguageChangesView: Presentable {
  let changes: [LanguageFileChange]
  let isDryRun: Bool
  /// Tables that sources ask for and that are missing.
  var missingTables: [String] = []
  var exit: ExitStatus { changes.contains { !$0.summary.conflicts.isEmpty } ? .negative : .done }

  init(_ changes: [LanguageFileChange], isDryRun: Bool, missingTables: [String] = []) {
    self.changes = changes
    self.isDryRun = isDryRun
    self.missingTables = missingTables
  }

  func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  var json: JSONValue {
    let files = changes.map { change -> JSONValue in
      func list(_ keys: [String]) -> JSONValue { .array(keys.map { .string($0) }) }
      let summary = change.summary
      var file: JSONValue.Object = [
        "path": .string(change.path), "state": .string(Self.state(change)), "added": list(summary.added),
        "stale": list(summary.stale), "removed": list(summary.removed), "revived": list(summary.revived),
        "commented": list(summary.commented), "changed": list(summary.changed), "conflicts": list(summary.conflicts),
      ]
      if isDryRun { file["diff"] = .string(change.diff.map { $0.text + "\n" }.joined()) }
      return .object(file)
    }
    return [
      "files": .array(files), "dry_run": .bool(isDryRun),
      "missing_tables": .array(missingTables.map { .string($0) }),
    ]
  }

  private static func state(_ change: LanguageFileChange) -> String {
    change.old == nil ? "created" : change.isChanged ? "changed" : "unchanged"
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for change in changes {
      let state = Self.state(change)
      var line = StyledText(
        catalogue.text("text.i18n-file-\(state)") + " ", state == "unchanged" ? .faint : .good)
      line.append(change.path, .path)
      let counts = Self.counts(change.summary, catalogue)
      if !counts.isEmpty { line.append("  " + counts, .faint) }
      document.line(line)
      for key in change.summary.conflicts {
        document.line(StyledText("  " + catalogue.text("text.i18n-conflict", ["key": key]), .bad))
      }
    }
    for table in missingTables {
      document.line(StyledText(catalogue.text("text.i18n-missing-table", ["table": table]), .warning))
    }
    guard isDryRun else { return document }
    for line in changes.flatMap(\.diff) { document.line(line.styled) }
    return document
  }

  private static func counts(_ summary: MergeSummary, _ catalogue: Catalogue) -> String {
    let counts = [
      ("added", summary.added), ("changed", summary.changed), ("stale", summary.stale), ("removed", summary.removed),
      ("revived", summary.revived), ("commented", summary.commented),
    ]
    return counts.filter { !$0.1.isEmpty }
      .map { catalogue.text("text.i18n-count-\($0.0)", ["count": "\($0.1.count)"]) }.joined(separator: ", ")
  }
}
