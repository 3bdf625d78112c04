import ArgumentParser
import CommandKit

/// `mpaas file …`.
struct FileCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "file", key: "file",
      subcommands: [
        Put.self,
        Get.self,
        Resume.self,
        List.self,
        Pause.self,
        Cancel.self,
        Remove.self,
      ])
  }
}
