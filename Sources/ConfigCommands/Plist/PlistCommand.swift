import ArgumentParser
import CommandKit

/// `mpaas plist …`: property lists.
struct PlistCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "plist", key: "plist",
      subcommands: [
        Get.self, Set.self, Insert.self, Delete.self, Merge.self, Convert.self, Lint.self, Diff.self,
      ])
  }
}
