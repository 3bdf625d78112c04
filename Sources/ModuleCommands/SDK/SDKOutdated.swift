import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension SDKCommand {
  /// `mpaas sdk outdated`: what is older than the newest, with all notes in between.
  struct Outdated: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("outdated", key: "sdk.outdated") }

    @Flag(name: .customLong("exit-code"), help: .text("command.sdk.outdated.exit-code"))
    var exitCode = false

    @OptionGroup var catalog: CatalogOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> OutdatedModules {
      let catalog = try await catalog.catalog(in: context)
      if let project = try context.project() {
        let file = FileSystem.folder(of: project.file) + "/" + ProjectLock.fileName
        guard FileStatus(file) != nil else { return OutdatedModules(modules: [], isNegative: false) }
        let text = String(decoding: try Bytes.reading(file, limit: 16 << 20).array, as: UTF8.self)
        let lock = try ProjectLock(reading: text, file: file)
        // What an update would choose, with all that modules ask of each other; where they cannot be had together, it
        // is not known.
        let update = try? ProjectResolver(project: project, lock: lock, update: .all, of: catalog).resolve()
        let rows = try lock.modules.compactMap { try Self.row($0, project, update, catalog) }
        return OutdatedModules(modules: rows, isNegative: exitCode && !rows.isEmpty)
      }
      var rows: [OutdatedModules.Row] = []
      for (name, versions) in try context.localModules().versions.sorted(by: { $0.key < $1.key }) {
        guard let here = versions.first, let offered = try catalog.offered(name) else { continue }
        if let row = OutdatedModules.Row(offered, from: here, allowed: offered.index.newest?.version) {
          rows.append(row)
        }
      }
      return OutdatedModules(modules: rows, isNegative: exitCode && !rows.isEmpty)
    }

    /// - Parameter update: What the project would have after an update.
    private static func row(
      _ locked: LockedModule, _ project: ProjectManifest, _ update: ProjectLock?, _ catalog: ModuleCatalog
    ) throws -> OutdatedModules.Row? {
      guard let offered = try catalog.offered(locked.name, in: locked.registry) else { return nil }
      let targets = project.targets.filter { locked.applies(to: $0.name) }
      let allowed = targets.compactMap { update?.versions(for: $0.name)[locked.name] }.min()
      let requirements = targets.compactMap { $0.module(locked.name)?.requirement.text }
      return OutdatedModules.Row(
        offered, from: locked.version, allowed: allowed, targets: locked.targets,
        requirement: requirements.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", "))
    }
  }
}

struct OutdatedModules: Presentable {
  struct Note: Encodable, Sendable {
    let version: String
    let released: String
    let notes: TextPair
    let yanked: String?

    init(_ notes: ReleaseNotes) {
      version = notes.version.text
      released = ReleaseView.day(notes.released)
      self.notes = TextPair(notes.notes)
      yanked = notes.yanked
    }
  }

  struct Row: Encodable, Sendable {
    let name: String
    let current: String
    /// What an update would bring, by what the project and its modules ask for.
    let allowed: String?
    let newest: String
    let requirement: String?
    let targets: [String]
    /// Newest first.
    let notes: [Note]

    /// nil where nothing is newer.
    init?(
      _ offered: OfferedModule, from here: ModuleVersion, allowed: ModuleVersion?, targets: [String] = [],
      requirement: String? = nil
    ) {
      guard let best = offered.index.newest?.version, best > here else { return nil }
      name = offered.index.name
      current = here.text
      self.allowed = allowed.map { max($0, here).text }
      newest = best.text
      self.requirement = requirement.flatMap { $0.isEmpty ? nil : $0 }
      self.targets = targets
      notes = offered.index.notes(from: here, to: best).map(Note.init)
    }
  }

  let modules: [Row]
  private let isNegative: Bool

  private enum CodingKeys: CodingKey {
    case modules
  }

  init(modules: [Row], isNegative: Bool) {
    self.modules = modules
    self.isNegative = isNegative
  }

  var exit: ExitStatus { isNegative ? .negative : .done }

  func document(_ catalogue: Catalogue) -> Document {
    guard !modules.isEmpty else { return [.line(StyledText(catalogue.text("text.sdk-nothing-outdated"), .good))] }
    var table = Table(columns: [
      .init(catalogue.text("text.sdk-framework")), .init(catalogue.text("text.sdk-current")),
      .init(catalogue.text("text.sdk-allowed")), .init(catalogue.text("text.sdk-newest")),
      .init(catalogue.text("text.sdk-asked-for")),
    ])
    for row in modules {
      table.rows.append([
        StyledText(row.name), StyledText(row.current, .marked), StyledText(row.allowed ?? "–"), StyledText(row.newest),
        StyledText(row.requirement ?? "", .faint),
      ])
    }
    var document: Document = [.table(table)]
    for row in modules where !row.notes.isEmpty {
      document.line()
      document.line(StyledText(row.name, .heading))
      for note in row.notes { document.blocks += note.lines(catalogue).map(Document.Block.line) }
    }
    return document
  }
}

extension OutdatedModules.Note {
  /// The version with its day, then what is new in it.
  func lines(_ catalogue: Catalogue) -> [StyledText] {
    var lines = [StyledText("  " + version, .emphasis) + StyledText("  " + released, .faint)]
    if let yanked {
      lines.append("    " + StyledText(catalogue.text("text.sdk-yanked", ["reason": yanked]), .warning))
    }
    for text in notes.ordered(catalogue) {
      lines += text.split(whereSeparator: \.isNewline).map { "    " + StyledText(String($0)) }
    }
    return lines
  }
}
