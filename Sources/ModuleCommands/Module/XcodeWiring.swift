import CommandKit
import MPaaSModules
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport
import ProjectCommands

/// The Xcode project whose targets use a project's modules.
struct XcodeWiring {
  private let modules: XcodeModules
  private let moduleFolder: String

  /// - Parameters:
  ///   - text: The text that `mpaas.toml` is to have; nil for what it has.
  ///   - chosen: The `.xcodeproj` by its option.
  /// - Returns: nil where there is no Xcode project, where it is to be left alone, or where it is not clear which is
  /// meant.
  init?(in folder: String, editing text: String?, choosing chosen: String?, _ context: Context) throws {
    let file = ProjectFiles.path(folder, ProjectManifest.fileName)
    let text = try text ?? String(decoding: Bytes.reading(file, limit: 16 << 20).array, as: UTF8.self)
    let manifest = try ProjectManifest(reading: text, file: file)
    switch try XcodeModules.choose(in: folder, by: manifest, naming: chosen) {
    case .none: return nil
    case .several(let found):
      let values = ["projects": found.joined(separator: ", ")]
      context.terminal.note(StyledText(context.catalogue.text("text.module-xcode-several", values), .warning))
      return nil
    case .project(let found): modules = found
    }
    moduleFolder = manifest.folder
  }

  func run(_ outcome: SyncOutcome, in context: Context) throws -> WiredXcode? {
    guard let wirings = outcome.wirings else { return nil }
    let wired = try modules.wire(wirings, moduleFolder: moduleFolder, isTrial: outcome.isDryRun)
    for note in wired.notes {
      let text = context.catalogue.text("text.module-xcode-\(note.kind.rawValue)", ["target": note.target])
      context.terminal.note(StyledText(text, .warning))
    }
    return WiredXcode(wired.project, file: modules.file, targets: wired.targets, isDryRun: outcome.isDryRun)
  }
}

/// The changes of the Xcode project.
struct WiredXcode: Encodable, Sendable {
  let file: String
  let changed: Bool
  /// The targets that use modules.
  let targets: [String]
  /// The unified diff; nil where nothing is tried out.
  let diff: String?
  private let lines: [StyledText]
  private let isDryRun: Bool

  private enum CodingKeys: String, CodingKey { case file, changed, targets, diff }

  init(_ edited: EditedProject, file: String, targets: [String], isDryRun: Bool) {
    self.file = file
    changed = edited.isChanged
    self.targets = targets
    self.isDryRun = isDryRun
    let unified = isDryRun ? ProjectDiff.lines(edited, file: file) : []
    diff = isDryRun ? unified.map { $0.text + "\n" }.joined() : nil
    lines = unified.map(\.styled)
  }

  func append(to document: inout Document, _ catalogue: Catalogue) {
    for line in lines { document.line(line) }
    guard changed, !isDryRun else { return }
    let values = ["file": file, "targets": targets.isEmpty ? "–" : targets.joined(separator: ", ")]
    document.line(StyledText(catalogue.text("text.module-xcode-wired", values), .good))
  }
}
