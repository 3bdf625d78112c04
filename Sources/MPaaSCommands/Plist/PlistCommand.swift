import ArgumentParser

/// `mpaas plist …`: property lists.
struct PlistCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "plist", key: "plist",
      subcommands: [

      ])
  }
}
