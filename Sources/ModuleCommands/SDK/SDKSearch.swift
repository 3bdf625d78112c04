import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension SDKCommand {
  /// `mpaas sdk search WORD…`: modules whose name, summary or notes have all words.
  struct Search: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("search", key: "sdk.search") }

    @Argument(help: .text("command.sdk.search.words", valueName: "word"))
    var words: [String]

    @OptionGroup var catalog: CatalogOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> FoundModules {
      let catalog = try await catalog.catalog(in: context)
      let local = try context.localModules()
      return FoundModules(modules: try catalog.search(words).map { FoundModules.Row($0, local) })
    }
  }
}

/// The hits of a search, best first.
struct FoundModules: Presentable {
  struct Row: Encodable, Sendable {
    let name: String
    let local: String?
    let remote: String?
    let registry: String
    let summary: TextPair

    init(_ offered: OfferedModule, _ here: LocalModules) {
      name = offered.index.name
      local = here.newest(name)?.text
      remote = offered.index.newest?.version.text
      registry = offered.registry
      summary = TextPair(offered.index.summary)
    }
  }

  let modules: [Row]

  /// Nothing found is a negative answer, as with grep.
  var exit: ExitStatus { modules.isEmpty ? .negative : .done }

  func document(_ catalogue: Catalogue) -> Document {
    guard !modules.isEmpty else { return [.line(StyledText(catalogue.text("text.sdk-nothing-found")))] }
    var table = Table(columns: [
      .init(catalogue.text("text.sdk-framework")), .init(catalogue.text("text.sdk-local")),
      .init(catalogue.text("text.sdk-remote")), .init(catalogue.text("text.sdk-summary")),
    ])
    for row in modules {
      table.rows.append([
        StyledText(row.name), StyledText(row.local ?? "–"), StyledText(row.remote ?? "–"),
        StyledText(row.summary.ordered(catalogue).first ?? "", .faint),
      ])
    }
    return [.table(table)]
  }
}
