import CommandKit
import MPaaSSupport
import MPaaSTerminal

/// A file that was edited, or would be: with `--dry-run` its diff is the result.
struct EditedFile: Presentable {
  private enum CodingKeys: String, CodingKey { case file, changed, written, diff }

  let file: String
  let changed: Bool
  /// Whether the file has the change; not with `--dry-run`.
  let written: Bool
  /// The unified diff; nil where it was not asked for.
  let diff: String?
  private let lines: [TextDiff.UnifiedLine]

  /// Writes the new bytes where they differ from the old ones.
  ///
  /// - Throws: `FileError`; nothing is changed then.
  init(_ file: String, old: [UInt8], new: [UInt8], isDryRun: Bool) throws {
    self.file = file
    changed = old != new
    written = changed && !isDryRun
    if written { try Bytes(new).write(to: file, mode: FileStatus(file)?.permissions ?? 0o644) }
    let difference =
      isDryRun ? TextDiff(from: String(decoding: old, as: UTF8.self), to: String(decoding: new, as: UTF8.self)) : nil
    lines = difference?.unified(from: file, to: file) ?? []
    diff = isDryRun ? lines.map { $0.text + "\n" }.joined() : nil
  }

  func document(_ catalogue: Catalogue) -> Document {
    if !lines.isEmpty { return Document(lines: lines.map(\.styled)) }
    let key = written ? "text.edit-changed" : changed ? "text.edit-would-change" : "text.edit-unchanged"
    return Document(lines: [StyledText(catalogue.text(key, ["file": file]), changed ? .good : .faint)])
  }
}
