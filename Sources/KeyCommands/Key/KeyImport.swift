import ArgumentParser
import CommandKit
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

extension KeyCommand {
  /// `mpaas key import FILE --name N`: a key from elsewhere.
  struct Import: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("import", key: "key.import") }

    @Argument(help: .text("command.key.import.file"), completion: .file())
    var file: String

    @Option(help: .text("command.key.name", valueName: "name"))
    var name: String

    @OptionGroup var use: KeyUseOptions

    @Flag(help: .text("command.key.unencrypted"))
    var unencrypted = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> KeyDetails {
      let (record, isTrusted) = try context.keys.bring(
        file, as: name, for: use.keyUse(in: context), opening: passphrase.source(in: context),
        passphrase.protection(unencrypted: unencrypted, in: context))
      return details(record, isTrusted: isTrusted, in: context)
    }

    private func details(_ record: KeyRecord, isTrusted: Bool, in context: Context) -> KeyDetails {
      let text = context.catalogue.text(isTrusted ? "text.key-now-trusted" : "text.key-imported", ["name": record.name])
      let isEncrypted = isTrusted ? nil : !unencrypted
      return KeyDetails(
        key: KeyView(record, isTrusted: isTrusted, isEncrypted: isEncrypted, at: context.now()), sentence: text)
    }
  }
}
