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
      let folder = project ?? "."
      let file = try self.file ?? Self.find(in: folder)
      let bytes = try Bytes.reading(file, limit: 64 << 20).array
      let legacy = try bytes.withUnsafeBytes { try LegacyProject(reading: $0, file: file) }
      let made = LegacyImport(legacy)
      let text = made.text(from: FileSystem.name(of: file))
      let manifest = ProjectFiles.path(folder, ProjectManifest.fileName)
      // What is written has to be what is read.
      _ = try ProjectManifest(reading: text, file: manifest)
      if !dryRun {
        guard force || FileStatus(ofLink: manifest) == nil else {
          throw Diagnostic("project-exists", ["file": manifest], at: .file(manifest), exit: .cannotCreate)
        }
        try Bytes(Array(text.utf8)).write(to: manifest)
      }
      let details = made.notes.map { context.catalogue.text($0.key, $0.values) }
      return ImportedProject(
        file: file, manifest: manifest, modules: made.count,
        targets: legacy.targets.map {
          .init(name: $0.name, modules: made.shared.count + (made.own[$0.name]?.count ?? 0))
        },
        notes: details, text: text, dryRun: dryRun)
    }

    private static func find(in folder: String) throws -> String {
      let name = LegacyProject.fileName
      let places = ["MPaaS/" + name, name].map { ProjectFiles.path(folder, $0) }
      guard let file = places.first(where: { FileStatus($0)?.kind == .file }) else {
        throw Diagnostic("legacy-missing", ["folder": folder], at: .file(folder), exit: .inputMissing)
      }
      return file
    }
  }
}

/// What became of a project of the old kit.
struct ImportedProject: Presentable {
  struct Target: Encodable, Sendable {
    let name: String
    let modules: Int
  }

  let file: String
  let manifest: String
  let modules: Int
  let targets: [Target]
  /// What is not carried over as it was.
  let notes: [String]
  /// Of the manifest.
  let text: String
  let dryRun: Bool

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
