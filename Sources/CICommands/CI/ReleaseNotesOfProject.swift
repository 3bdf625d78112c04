import MPaaSModules
import MPaaSPipelines
import MPaaSSupport
import MPaaSTerminal
import ModuleCommands

/// The modules that changed between two versions of a project, with their notes in both languages.
struct ReleaseNotesOfProject: Presentable {
  struct Note: Encodable, Sendable {
    let version: String
    /// The day, in UTC.
    let released: String
    let notes: TextPair
    let yanked: String?

    init(_ note: ReleaseNotes) {
      version = note.version.text
      released = CivilDate.at(secondsSince1970: Int(note.released)).date.description
      notes = TextPair(note.notes)
      yanked = note.yanked
    }
  }

  struct Change: Encodable, Sendable {
    let name: String
    /// nil for a module that is added.
    let from: String?
    /// nil for one that is removed.
    let to: String?
    /// Empty for all.
    let targets: [String]
    /// Newest first.
    let notes: [Note]
  }

  let from: String
  let to: String
  let changes: [Change]
  /// Modules whose notes are not known here.
  let unknown: [String]
  /// The file that the notes were written to; nil for none.
  let output: String?

  private enum CodingKeys: String, CodingKey { case from, to, changes, unknown, output }

  init(_ changes: ModuleChanges, output: String?) {
    from = changes.from
    to = changes.to
    unknown = changes.unknown
    self.output = output
    self.changes = changes.changes.map { change in
      Change(
        name: change.name, from: change.from?.text, to: change.to?.text, targets: change.targets,
        notes: change.notes.map(Note.init))
    }
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard let output else { return Document(lines: lines(catalogue).map { StyledText($0) }) }
    let values = ["count": "\(changes.count)", "file": output]
    return [.line(StyledText(catalogue.text("text.ci-notes-written", values), .good))]
  }

  /// The notes as Markdown.
  func markdown(_ catalogue: Catalogue) -> String { lines(catalogue).map { $0 + "\n" }.joined() }

  private func lines(_ catalogue: Catalogue) -> [String] {
    var lines = ["# " + catalogue.text("text.ci-notes-title", ["from": from, "to": to])]
    guard !changes.isEmpty else { return lines + ["", catalogue.text("text.ci-notes-none")] }
    for change in changes {
      lines += ["", "## " + Self.heading(change, catalogue)]
      for note in change.notes { lines += Self.lines(note, catalogue) }
      if change.notes.isEmpty, change.to != nil { lines += ["", catalogue.text("text.ci-notes-empty")] }
    }
    return lines
  }

  private static func heading(_ change: Change, _ catalogue: Catalogue) -> String {
    let versions =
      switch (change.from, change.to) {
      case (let from?, let to?): "\(from) → \(to)"
      case (nil, let to?): catalogue.text("text.ci-notes-added", ["version": to])
      case (let from?, nil): catalogue.text("text.ci-notes-removed", ["version": from])
      case (nil, nil): ""
      }
    let targets = change.targets.isEmpty ? "" : " (\(change.targets.joined(separator: ", ")))"
    return "\(change.name) \(versions)\(targets)"
  }

  /// The version, and its notes in the language of the call, then in the other.
  private static func lines(_ note: Note, _ catalogue: Catalogue) -> [String] {
    var lines = ["", "### \(note.version) (\(note.released))"]
    if let reason = note.yanked { lines += ["", catalogue.text("text.ci-notes-yanked", ["reason": reason])] }
    for text in note.notes.ordered(catalogue) {
      lines.append("")
      lines += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    return lines
  }
}
