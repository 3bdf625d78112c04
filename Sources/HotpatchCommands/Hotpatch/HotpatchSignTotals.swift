import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSHotpatchTools
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

/// The keys whose totals of crashes count.
struct StatisticsKeyOptions: ParsableArguments {
  @Option(help: .text("command.hotpatch.rollout.statistics-key", valueName: "key"), completion: .file())
  var statisticsKey: [String] = []

  /// The totals of a file, signed by a key that is named, or by one of the store for the role `statistics`.
  func totals(_ path: String, in context: Context) throws -> CrashTotals {
    try CrashTotals(signedFile: path, byKeys: statisticsKey, of: context.keys)
  }

  /// The totals of a file that change nothing: signed ones or unsigned ones.
  func shown(_ path: String, in context: Context) throws -> CrashTotals {
    try CrashTotals(shownFile: path, byKeys: statisticsKey, of: context.keys)
  }
}

extension HotpatchCommand {
  /// `mpaas hotpatch sign-totals`: vouches for crash totals.
  struct SignTotals: MPaaSCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("sign-totals", key: "hotpatch.sign-totals")
    }

    @Argument(help: .text("command.hotpatch.sign-totals.file"), completion: .file())
    var file: String

    @Option(
      name: .customLong("key"), help: .text("command.hotpatch.sign-totals.key", valueName: "name"),
      completion: .keyNames)
    var keyNames: [String]

    @Option(help: .text("command.hotpatch.sign-totals.output", valueName: "file"), completion: .file())
    var output: String

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> TotalsSigned {
      let signers = try CrashTotals.sign(file: file, into: output) {
        let sealed = try keyNames.map { try context.keys.sealedKey($0) }
        if let role = KeyRole.statistics { for key in sealed { try key.check(for: role, at: context.now()) } }
        return try passphrase.source(in: context).open(sealed).map { try $0.signingKey() }
      }
      return TotalsSigned(output: output, keys: signers)
    }
  }
}

/// The file that was signed, and its signer.
struct TotalsSigned: Presentable {
  let output: String
  let keys: [String]

  func document(_ catalogue: Catalogue) -> Document { [.line(StyledText(output))] }
}
