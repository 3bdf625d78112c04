package import ArgumentParser
import CommandKit
import MPaaSConfig

/// `mpaas gateway env …`: the environments of a `GatewayConfig.plist`.
package struct GatewayEnvironments: AsyncParsableCommand {
  package static var configuration: CommandConfiguration {
    CommandConfiguration(
      "env", key: "gateway.env", subcommands: [List.self, Show.self, Use.self, Set.self, Check.self])
  }

  package init() {}
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
