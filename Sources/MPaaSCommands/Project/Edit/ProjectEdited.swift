import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

/// What operations made of an Xcode project, or would make.
struct ProjectEdited: Presentable {
  struct Note: Encodable {
    let kind: String
    let name: String
  }

  let file: String
  let changed: Bool
  let dryRun: Bool
  let notes: [Note]
  /// The unified diff; nil where nothing is tried out.
  let diff: String?
  private let lines: [StyledText]

  private enum CodingKeys: String, CodingKey { case file, changed, dryRun, notes, diff }

  init(_ edited: EditedProject, _ place: XcodeProjectPlace, isDryRun: Bool) {
    file = place.file
    changed = edited.isChanged
    dryRun = isDryRun
    notes = edited.notes.map { Note(kind: $0.kind.rawValue, name: $0.name) }
    let unified = isDryRun ? ProjectDiff.lines(edited, file: place.file) : []
    diff = isDryRun ? unified.map { $0.text + "\n" }.joined() : nil
    lines = unified.map(\.styled)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document(lines: lines)
    for note in notes {
      document.line(StyledText(catalogue.text("text.project-edit-\(note.kind)", ["name": note.name]), .warning))
    }
    if !changed {
      document.line(StyledText(catalogue.text("text.project-edit-unchanged", ["file": file]), .good))
    } else if !dryRun {
      document.line(StyledText(catalogue.text("text.project-edit-changed", ["file": file]), .good))
    }
    return document
  }
}

/// The diff of a project as lines.
enum ProjectDiff {
  static func lines(_ edited: EditedProject, file: String) -> [TextDiff.UnifiedLine] {
    guard edited.isChanged else { return [] }
    let (old, new) = (String(decoding: edited.old.bytes, as: UTF8.self), String(decoding: edited.bytes, as: UTF8.self))
    return TextDiff(from: old, to: new).unified(from: file, to: file)
  }
}
