import ArgumentParser
import CommandKit

/// `mpaas module …`: the modules that a project uses.
struct ModuleCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "module", key: "module",
      subcommands: [
        Init.self, Add.self, Remove.self, Update.self, List.self, Why.self, Tree.self, Sync.self, Import.self,
      ])
  }
}
