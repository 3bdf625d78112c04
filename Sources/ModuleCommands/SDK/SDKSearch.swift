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
      let words = words.map { $0.lowercased() }
      var found: [(rank: Int, row: FoundModules.Row)] = []
      for name in catalog.names {
        guard let offered = try catalog.offered(name), let rank = Self.rank(offered.index, words) else { continue }
        found.append((rank, FoundModules.Row(offered, local)))
      }
      // Names before summaries before notes; the order by name stays within.
      let sorted = found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      return FoundModules(modules: sorted.map(\.element.row))
    }

    /// Where the words are found: 0 the name itself, 1 in the name, 2 in the summary, 3 in notes; nil where one is not.
    private static func rank(_ index: ModuleIndex, _ words: [String]) -> Int? {
      let name = index.name.lowercased()
      let summaries = texts(index.summary)
      let notes = index.releases.flatMap { texts($0.manifest.notes) + texts($0.manifest.summary) }
      var worst = 0
      for word in words {
        if name == word { continue }
        if name.contains(word) {
          worst = max(worst, 1)
        } else if summaries.contains(where: { $0.contains(word) }) {
          worst = max(worst, 2)
        } else if notes.contains(where: { $0.contains(word) }) {
          worst = max(worst, 3)
        } else {
          return nil
        }
      }
      return worst
    }

    private static func texts(_ text: LocalizedText) -> [String] {
      [text.english, text.simplifiedChinese].compactMap { $0?.lowercased() }
    }
  }
}

/// What a search found, best first.
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
