import ArgumentParser
import CommandKit
import MPaaSSupport
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
      let (bytes, isOpenToOthers) = try PrivateFile.readAnyway(file)
      let source = try KeyFile(bytes, name: file)
      guard source.isPrivate else {
        let record = try source.record(
          named: name, roles: use.roles, expires: { try use.expiry(in: context) }, at: context.now())
        try context.keys.trust(record)
        return details(record, isTrusted: true, in: context)
      }
      if isOpenToOthers {
        context.terminal.warning(Diagnostic("key-file-open", ["path": file], exit: .notPermitted))
      }
      try context.keys.checkFree(name)
      let expires = try use.expiry(in: context)
      let opening = source.isEncrypted ? try passphrase.existing(for: file, in: context) : nil
      let (key, number) = try source.openNumbered(with: opening, name: file)
      let secret = unencrypted ? nil : try passphrase.fresh(for: name, at: opening == nil ? 0 : 1, in: context)
      let record = try context.keys.add(
        key, name, roles: use.roles, expires: expires, number: number, passphrase: secret)
      return details(record, isTrusted: false, in: context)
    }

    private func details(_ record: KeyRecord, isTrusted: Bool, in context: Context) -> KeyDetails {
      let text = context.catalogue.text(isTrusted ? "text.key-now-trusted" : "text.key-imported", ["name": record.name])
      let isEncrypted = isTrusted ? nil : !unencrypted
      return KeyDetails(
        key: KeyView(record, isTrusted: isTrusted, isEncrypted: isEncrypted, at: context.now()), sentence: text)
    }
  }
}
