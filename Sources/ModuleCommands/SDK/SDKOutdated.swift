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
      let found =
        if let project = try context.project() {
          try OutdatedModule.all(project, of: catalog)
        } else {
          try OutdatedModule.all(try context.localModules(), of: catalog)
        }
      return OutdatedModules(
        modules: found.map(OutdatedModules.Row.init), isNegative: exitCode && !found.isEmpty)
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
    /// The version that an update would bring, by what the project and its modules ask for.
    let allowed: String?
    let newest: String
    let requirement: String?
    let targets: [String]
    /// Newest first.
    let notes: [Note]

    init(_ module: OutdatedModule) {
      name = module.name
      current = module.current.text
      allowed = module.allowed?.text
      newest = module.newest.text
      requirement = module.requirement
      targets = module.targets
      notes = module.notes.map(Note.init)
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
