import ArgumentParser
package import CommandKit
import MPaaSSupport
package import MPaaSSymbols

/// `mpaas symbols …`: the store of debug information, and look-ups in it.
struct SymbolsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "symbols", key: "symbols",
      subcommands: [
        Add.self, List.self, Info.self, Lookup.self, Check.self, Remove.self, Collect.self, Serve.self,
      ])
  }
}

extension Context {
  /// The symbol store of this user.
  var symbols: SymbolStore { SymbolStore(directories.symbols) }

  /// The indexes of this user's symbols.
  var symbolIndexes: SymbolIndexes {
    var indexes = SymbolIndexes(store: symbols, cache: directories.indexes)
    indexes.events = .shown(in: self)
    return indexes
  }

  /// The search of a command, with its indexes.
  package func debugFileSearch(_ paths: [String]) -> DebugFileSearch {
    var search = DebugFileSearch(paths: paths, directories: directories, environment: environment)
    search.indexes = symbolIndexes
    return search
  }
}
