import CommandKit
package import MPaaSProject
import MPaaSSupport
package import MPaaSTerminal
import MPaaSToolSupport

/// Files of a project and what was done to them, or would be.
package struct ProjectChangesView: Encodable, Sendable {
  package struct File: Encodable, Sendable {
    package let path: String
    package let change: String
  }

  package let files: [File]
  /// The unified diff; nil where it was not asked for.
  package let diff: String?
  private let lines: [StyledText]

  private enum CodingKeys: String, CodingKey { case files, diff }

  package init(_ changes: ProjectChanges, showsDiff: Bool) {
    files = changes.changes.map { File(path: $0.path, change: $0.kind.rawValue) }
    let unified = showsDiff ? changes.changes.compactMap(\.diff).flatMap { $0 } : []
    diff = showsDiff ? unified.map { $0.text + "\n" }.joined() : nil
    lines = unified.map(\.styled)
  }

  package func append(to document: inout Document, _ catalogue: Catalogue) {
    for file in files where file.change != "unchanged" {
      let word = catalogue.text("text.change-\(file.change)")
      let role: TextRole =
        switch file.change {
        case "created", "edited", "replaced": .good
        case "conflict": .bad
        default: .warning
        }
      document.line("  " + StyledText(word, role) + "  " + StyledText(file.path, .path))
    }
    if !lines.isEmpty { document.line() }
    for line in lines { document.line(line) }
  }
}
