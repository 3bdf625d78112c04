import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal

extension GatewayEnvironments {
  /// `mpaas gateway env use ENVIRONMENT`: makes one the environment that is in use.
  struct Use: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("use", key: "gateway.env.use") }

    @Argument(help: .text("command.gateway.env.use.words"), completion: .gatewayEnvironments)
    var words: [String] = []

    @Flag(name: [.customShort("n"), .long], help: .text("command.gateway.env.dry-run"))
    var dryRun = false

    @OptionGroup var options: GatewayFileOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> EditedFile {
      let (file, words) = try options.open(words)
      guard words.count == 1 else { throw Diagnostic("gateway-environment-not-given", exit: .usage) }
      let edited = try file.selecting(words[0])
      return try ConfigFileUpdate(file.document.file, old: file.document.bytes, new: edited.document.bytes)
        .result(isDryRun: dryRun)
    }
  }

  /// `mpaas gateway env set ENVIRONMENT KEY VALUE`: sets a value of one, or removes it.
  struct Set: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("set", key: "gateway.env.set") }

    @Argument(help: .text("command.gateway.env.set.words"), completion: .gatewayEnvironments)
    var words: [String] = []

    @Flag(help: .text("command.gateway.env.set.create"))
    var create = false

    @Flag(help: .text("command.gateway.env.set.unset"))
    var unset = false

    @Flag(name: [.customShort("n"), .long], help: .text("command.gateway.env.dry-run"))
    var dryRun = false

    @OptionGroup var options: GatewayFileOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> EditedFile {
      let (file, words) = try options.open(words)
      // `KEY=VALUE` is what people type too.
      let parts = words.count == 2 && !unset ? [words[0]] + Self.split(words[1]) : words
      guard parts.count == (unset ? 2 : 3) else { throw Diagnostic("gateway-set-words", exit: .usage) }
      let edited =
        try unset
        ? file.removing(parts[1], in: parts[0]) : file.setting(parts[1], to: parts[2], in: parts[0], creates: create)
      return try ConfigFileUpdate(file.document.file, old: file.document.bytes, new: edited.document.bytes)
        .result(isDryRun: dryRun)
    }

    private static func split(_ word: String) -> [String] {
      word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    }
  }
}
