import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

/// A file that was edited, or would be: with `--dry-run` its diff is the result.
struct EditedFile: Presentable {
  private enum CodingKeys: String, CodingKey { case file, changed, written, diff }

  let file: String
  let changed: Bool
  /// Says that the file has the change; not with `--dry-run`.
  let written: Bool
  /// The unified diff; nil where it was not asked for.
  let diff: String?
  private let lines: [TextDiff.UnifiedLine]

  init(_ update: ConfigFileUpdate, isDryRun: Bool) {
    file = update.file
    changed = update.isChanged
    written = changed && !isDryRun
    let difference =
      isDryRun
      ? TextDiff(from: String(decoding: update.old, as: UTF8.self), to: String(decoding: update.new, as: UTF8.self))
      : nil
    lines = difference?.unified(from: file, to: file) ?? []
    diff = isDryRun ? lines.map { $0.text + "\n" }.joined() : nil
  }

  func document(_ catalogue: Catalogue) -> Document {
    if !lines.isEmpty { return Document(lines: lines.map(\.styled)) }
    let key = written ? "text.edit-changed" : changed ? "text.edit-would-change" : "text.edit-unchanged"
    return Document(lines: [StyledText(catalogue.text(key, ["file": file]), changed ? .good : .faint)])
  }
}

extension ConfigFileUpdate {
  /// Writes it, unless that is only to be shown.
  ///
  /// - Throws: `FileError`; nothing is changed then.
  func result(isDryRun: Bool) throws -> EditedFile {
    if !isDryRun { try write() }
    return EditedFile(self, isDryRun: isDryRun)
  }
}
