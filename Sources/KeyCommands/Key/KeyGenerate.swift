import ArgumentParser
import CommandKit
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

extension KeyCommand {
  /// `mpaas key generate --name N`: a new key.
  struct Generate: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("generate", key: "key.generate") }

    @Option(help: .text("command.key.name", valueName: "name"))
    var name: String

    @Option(help: .text("command.key.generate.type"))
    var type: KeyKind = .ed25519

    @OptionGroup var use: KeyUseOptions

    @Flag(help: .text("command.key.unencrypted"))
    var unencrypted = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> NewKey {
      let record = try context.keys.generate(
        name, type, for: use.keyUse(in: context), passphrase.protection(unencrypted: unencrypted, in: context))
      context.terminal.note(StyledText(context.catalogue.text("text.key-made", ["name": name, "kind": type.rawValue])))
      return NewKey(key: KeyView(record, isTrusted: false, isEncrypted: !unencrypted, at: context.now()))
    }
  }
}

/// A key that was just made: its fingerprint is what people write down.
struct NewKey: Presentable {
  let key: KeyView

  func encode(to encoder: any Encoder) throws { try key.encode(to: encoder) }
  func document(_ catalogue: Catalogue) -> Document { [.line(StyledText(key.fingerprint))] }
}
