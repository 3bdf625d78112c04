import CommandKit
package import MPaaSProject
import MPaaSSupport
import MPaaSTerminal
package import MPaaSToolSupport

/// The changes of an Xcode project, done or planned.
struct ProjectEdited: Presentable {
  struct Note: Encodable {
    let kind: String
    let name: String
    let detail: String?
  }

  let file: String
  let changed: Bool
  let dryRun: Bool
  let notes: [Note]
  /// The files that were written or removed beside the project, from its folder.
  let files: [String]
  /// The unified diff; nil where nothing is tried out.
  let diff: String?
  private let removed: Set<String>
  private let isProjectChanged: Bool
  private let lines: [StyledText]

  private enum CodingKeys: String, CodingKey { case file, changed, dryRun, notes, files, diff }

  init(_ edited: EditedProject, _ place: XcodeProjectPlace, isDryRun: Bool) {
    file = place.file
    changed = edited.isChanged
    dryRun = isDryRun
    notes = edited.notes.map { Note(kind: $0.kind.rawValue, name: $0.name, detail: $0.detail) }
    files = edited.files.map(\.path)
    removed = Set(edited.files.filter { $0.new == nil }.map(\.path))
    isProjectChanged = edited.isProjectChanged
    let unified = isDryRun ? ProjectDiff.lines(edited, file: place.file) + edited.files.flatMap(ProjectDiff.lines) : []
    diff = isDryRun ? unified.map { $0.text + "\n" }.joined() : nil
    lines = unified.map(\.styled)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document(lines: lines)
    for note in notes {
      document.line(
        StyledText(
          catalogue.text("text.project-edit-\(note.kind)", ["name": note.name, "detail": note.detail ?? ""]), .warning))
    }
    if !changed {
      document.line(StyledText(catalogue.text("text.project-edit-unchanged", ["file": file]), .good))
    } else if !dryRun {
      for path in (isProjectChanged ? [file] : []) + files {
        let word = removed.contains(path) ? "removed" : "changed"
        document.line(StyledText(catalogue.text("text.project-edit-\(word)", ["file": path]), .good))
      }
    }
    return document
  }
}

/// The diff of a project as lines.
package enum ProjectDiff {
  package static func lines(_ edited: EditedProject, file: String) -> [TextDiff.UnifiedLine] {
    guard edited.isProjectChanged else { return [] }
    let (old, new) = (String(decoding: edited.old.bytes, as: UTF8.self), String(decoding: edited.bytes, as: UTF8.self))
    return TextDiff(from: old, to: new).unified(from: file, to: file)
  }

  static func lines(_ file: SurroundingFile) -> [TextDiff.UnifiedLine] {
    TextDiff(from: text(file.old), to: text(file.new)).unified(
      from: file.old == nil ? "/dev/null" : file.path, to: file.new == nil ? "/dev/null" : file.path)
  }

  private static func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }
}
