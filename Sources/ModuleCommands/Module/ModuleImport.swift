import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension ModuleCommand {
  /// `mpaas module import [FILE]`: a project of the old kit gets an `mpaas.toml`.
  struct Import: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("import", key: "module.import") }

    @Argument(help: .text("command.module.import.file"), completion: .file(extensions: ["config"]))
    var file: String?

    @Option(help: .text("command.module.import.project", valueName: "folder"), completion: .directory)
    var project: String?

    @Flag(help: .text("command.module.import.force"))
    var force = false

    @Flag(name: .customLong("dry-run"), help: .text("command.module.import.dry-run"))
    var dryRun = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ImportedProject {
      let made = try ImportedManifest(reading: file, in: project ?? ".")
      if !dryRun { try made.write(force: force) }
      return ImportedProject(made, dryRun: dryRun, context.catalogue)
    }
  }
}

/// The outcome for a project of the old kit.
struct ImportedProject: Presentable {
  struct Target: Encodable, Sendable {
    let name: String
    let modules: Int
  }

  let file: String
  let manifest: String
  let modules: Int
  let targets: [Target]
  /// The things that are not carried over as they were.
  let notes: [String]
  /// The text of the manifest.
  let text: String
  let dryRun: Bool

  init(_ made: ImportedManifest, dryRun: Bool, _ catalogue: Catalogue) {
    file = made.file
    manifest = made.path
    modules = made.modules.count
    targets = made.legacy.targets.map {
      Target(name: $0.name, modules: made.modules.shared.count + (made.modules.own[$0.name]?.count ?? 0))
    }
    notes = made.modules.notes.map { catalogue.text($0.key, $0.values) }
    text = made.text
    self.dryRun = dryRun
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    let values = ["manifest": manifest, "count": String(modules)]
    if dryRun {
      document.line(StyledText(catalogue.text("text.module-would-import", values)))
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        document.line(StyledText("  " + line, .faint))
      }
    } else {
      document.line(StyledText(catalogue.text("text.module-imported", values), .good))
    }
    for note in notes { document.line(StyledText("- " + note, .faint)) }
    return document
  }
}
