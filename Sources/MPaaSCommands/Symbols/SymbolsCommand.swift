import ArgumentParser
import MPaaSSupport
import MPaaSSymbols

/// `mpaas symbols …`: the store of debug information, and look-ups in it.
struct SymbolsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "symbols", key: "symbols",
      subcommands: [Add.self, List.self, Info.self, Lookup.self, Check.self, Remove.self, Collect.self])
  }
}

extension Context {
  /// The symbol store of this user.
  var symbols: SymbolStore { SymbolStore(directories.symbols) }
}
