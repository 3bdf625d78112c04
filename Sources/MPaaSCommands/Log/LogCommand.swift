import ArgumentParser

/// `mpaas log …`.
struct LogCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "log", key: "log",
      subcommands: [
        Cat.self,
        Tail.self,
        Search.self,
        List.self,
        Stats.self,
        Pack.self,
        Upload.self,
        Tasks.self,
        Collect.self,
      ])
  }
}
