import ArgumentParser
import CommandKit
import MPaaSSupport
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
      // All are read and checked before any is trusted.
      let records = try keys.map { try record($0, in: context) }
      let handOvers = try rotation.map { path in
        let bytes = try Bytes.reading(path, limit: PrivateFile.limit)
        return try KeyHandOver(reading: bytes.buffer)
      }
      for record in records { try context.keys.trust(record) }
      let successors = try handOvers.map { try context.keys.trust($0) }
      return TrustedKeys(keys: (records + successors).map { KeyView($0, isTrusted: true, at: context.now()) })
    }

    private func record(_ word: String, in context: Context) throws -> KeyRecord {
      let file = FileSystem.name(of: word)
      let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
      let record = try KeyFile(foreign: word).record(
        named: name ?? stem, roles: use.roles, expires: { try use.expiry(in: context) }, at: context.now())
      if let fingerprint { try record.publicKey.fingerprint.require(fingerprint) }
      return record
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
