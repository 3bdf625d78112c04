import ArgumentParser
import CommandKit

/// `mpaas key …`: the keys that sign and decrypt.
struct KeyCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "key", key: "key",
      subcommands: [
        Generate.self, List.self, Show.self, Export.self, Import.self, Remove.self, Trust.self, Rotate.self,
        Revoke.self, Sign.self, Verify.self, Encrypt.self, Decrypt.self, Image.self,
      ])
  }
}
