package import ArgumentParser

/// The commands of crash reports and of their symbols.
package enum CrashNouns {
  package static var all: [any ParsableCommand.Type] {
    [CrashCommand.self, SymbolsCommand.self]
  }
}
