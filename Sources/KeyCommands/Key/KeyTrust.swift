import ArgumentParser
import CommandKit
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

extension KeyCommand {
  /// `mpaas key trust PUBLIC…`: public keys of others.
  struct Trust: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("trust", key: "key.trust") }

    @Argument(help: .text("command.key.trust.keys", valueName: "public"), completion: .file())
    var keys: [String] = []

    @Option(help: .text("command.key.trust.name", valueName: "name"))
    var name: String?

    @Option(help: .text("command.key.trust.fingerprint", valueName: "fingerprint"))
    var fingerprint: String?

    @Option(help: .text("command.key.trust.rotation", valueName: "file"), completion: .file())
    var rotation: [String] = []

    @OptionGroup var use: KeyUseOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      if keys.isEmpty == rotation.isEmpty { throw ValidationError(Catalogue.current.text("text.key-trust-what")) }
      if keys.count != 1, name != nil || fingerprint != nil {
        throw ValidationError(Catalogue.current.text("text.key-trust-one"))
      }
    }

    func run(in context: Context) async throws -> TrustedKeys {
      let records = try context.keys.trust(
        keys, as: name, fingerprint: fingerprint, for: use.keyUse(in: context), handOvers: rotation)
      return TrustedKeys(keys: records.map { KeyView($0, isTrusted: true, at: context.now()) })
    }
  }
}

/// Keys that are trusted from now on.
struct TrustedKeys: Presentable {
  let keys: [KeyView]

  func document(_ catalogue: Catalogue) -> Document {
    Document(
      lines: keys.map { key in
        StyledText(catalogue.text("text.key-now-trusted", ["name": key.name])) + "  "
          + StyledText(key.fingerprint, .emphasis)
      })
  }
}
