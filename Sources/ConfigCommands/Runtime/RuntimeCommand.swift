import ArgumentParser
import CommandKit

/// `mpaas runtime …`: an app that runs on the framework.
struct RuntimeCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "runtime", key: "runtime",
      subcommands: [
        List.self,
        AddApp.self,
        RemoveApp.self,
        AddService.self,
        RemoveService.self,
        Check.self,
        Graph.self,
        Trace.self,
      ])
  }
}
