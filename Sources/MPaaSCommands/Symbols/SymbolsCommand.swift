import ArgumentParser

/// `mpaas symbols …`: the store of debug information, and look-ups in it.
struct SymbolsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("symbols", key: "symbols", subcommands: [Lookup.self])
  }
}
