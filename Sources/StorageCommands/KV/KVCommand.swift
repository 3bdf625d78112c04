import ArgumentParser
import CommandKit

/// `mpaas kv …`: key-value files.
struct KVCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "kv", key: "kv",
      subcommands: [
        Get.self, Set.self, Delete.self, Import.self, Dump.self, Verify.self, Compact.self, Rekey.self,
      ])
  }
}
