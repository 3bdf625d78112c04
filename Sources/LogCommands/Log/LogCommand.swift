import ArgumentParser
import CommandKit

/// `mpaas log …`.
struct LogCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "log", key: "log",
      subcommands: [
        Write.self,
        Cat.self,
        Tail.self,
        Search.self,
        List.self,
        Stats.self,
        Verify.self,
        Decrypt.self,
        Pack.self,
        Upload.self,
        Tasks.self,
        Collect.self,
      ])
  }
}
