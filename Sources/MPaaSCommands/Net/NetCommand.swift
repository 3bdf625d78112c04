import ArgumentParser

/// `mpaas net …`: networks as they are in the field, for any program.
struct NetCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "net", key: "net",
      subcommands: [
        Run.self,
        Shape.self,
        Unshape.self,
      ])
  }
}
