import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal

extension SymbolsCommand {
  /// `mpaas symbols list`: what the store has.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "symbols.list") }

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> StoredSymbolsList {
      let store = context.symbols
      return StoredSymbolsList(symbols: try store.list().map { StoredSymbolsRow($0, in: store) })
    }
  }
}

/// The files of the store.
struct StoredSymbolsList: Presentable {
  /// The files that are there of one version of a system.
  struct System: Encodable, Sendable {
    /// nil where the folder that the libraries came from did not tell.
    let system: String?
    let count: Int
    let size: UInt64
  }

  let symbols: [StoredSymbolsRow]
  /// nil where the store has none.
  let systems: [System]?

  init(symbols: [StoredSymbolsRow]) {
    self.symbols = symbols
    let libraries = Dictionary(grouping: symbols.filter { $0.role == SymbolRole.system.rawValue }, by: \.system)
    let found = libraries.map { System(system: $0, count: $1.count, size: $1.reduce(0) { $0 + $1.size }) }
      .sorted { ($0.system ?? "") < ($1.system ?? "") }
    systems = found.isEmpty ? nil : found
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard !symbols.isEmpty else { return [.line(StyledText(catalogue.text("text.symbols-empty")))] }
    let total = ByteCount(symbols.reduce(0) { $0 + $1.size })
    // A system has thousands of libraries, too many to read one by one.
    let rows = symbols.filter { $0.role != SymbolRole.system.rawValue }
    var document = Document()
    if !rows.isEmpty { document.table(StoredSymbolsRow.table(rows, catalogue)) }
    for each in systems ?? [] {
      let values = [
        "system": each.system ?? catalogue.text("text.symbols-system-unknown"), "count": String(each.count),
        "size": ByteCount(each.size).description,
      ]
      document.line(StyledText(catalogue.text("text.symbols-system", values)))
    }
    document.line(
      StyledText(
        catalogue.text("text.symbols-total", ["count": String(symbols.count), "size": total.description]), .faint))
    return document
  }
}
