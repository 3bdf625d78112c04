import ArgumentParser

/// `mpaas runtime …`: an app that runs on the framework.
struct RuntimeCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("runtime", key: "runtime", subcommands: [Trace.self])
  }
}
