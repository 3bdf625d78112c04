package import MPaaSSupport
import MPaaSSymbols
package import MPaaSTerminal
package import ServingKit

extension SymbolsServing: PerformedWork {
  package func perform(in context: Context, results: ResultSink) throws -> ExitStatus {
    let store = SymbolStore(context.directories.symbols)
    let service = DebuginfodService(store: store, paths: paths, sourceRoots: sourceRoots)
    service.prepare()
    return try HTTPServing(on: listen, .paths(service.answer)) { ServedSymbols(url: $0) }.run(in: context, results)
  }
}

/// The announcement of `mpaas symbols serve` when it is ready.
struct ServedSymbols: Presentable {
  let url: String

  func document(_ catalogue: Catalogue) -> Document {
    Document(lines: [StyledText(catalogue.text("text.symbols-serving", ["url": url]))])
  }
}
