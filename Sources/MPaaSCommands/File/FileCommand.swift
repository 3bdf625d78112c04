import ArgumentParser

/// `mpaas file …`.
struct FileCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "file", key: "file",
      subcommands: [
      ])
  }
}
