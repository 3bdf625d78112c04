import ArgumentParser
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
  let symbols: [StoredSymbolsRow]

  func document(_ catalogue: Catalogue) -> Document {
    guard !symbols.isEmpty else { return [.line(StyledText(catalogue.text("text.symbols-empty")))] }
    let total = ByteCount(symbols.reduce(0) { $0 + $1.size })
    return [
      .table(StoredSymbolsRow.table(symbols, catalogue)),
      .line(
        StyledText(
          catalogue.text("text.symbols-total", ["count": String(symbols.count), "size": total.description]), .faint)),
    ]
  }
}
