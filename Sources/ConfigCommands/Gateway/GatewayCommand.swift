import ArgumentParser
import CommandKit
import MPaaSConfig

/// `mpaas gateway …`: the addresses that an app talks to.
struct GatewayCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("gateway", key: "gateway", subcommands: [Environments.self])
  }

  /// `mpaas gateway env …`: the environments of a `GatewayConfig.plist`.
  struct Environments: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        "env", key: "gateway.env", subcommands: [List.self, Show.self, Use.self, Set.self, Check.self])
    }
  }
}

/// The choice of a file.
struct GatewayFileOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: .text("command.gateway.env.file", valueName: "file"),
    completion: .file(extensions: ["plist"]))
  var file: String?

  /// The file and the other words.
  func open(_ words: [String]) throws -> (file: GatewayFile, words: [String]) {
    let chosen = try ConfigFileWords(words, option: file, name: GatewayFile.fileName)
    return (try GatewayFile(ConfigFileWords.read(chosen.file), file: chosen.file), chosen.rest)
  }
}
