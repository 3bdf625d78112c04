import ArgumentParser
import CommandKit

/// `mpaas pinyin …`: Chinese text to pinyin, and search by it.
struct PinyinCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "pinyin", key: "pinyin",
      subcommands: [
        Convert.self,
        Search.self,
        Index.self,
        Serve.self,
      ])
  }
}
