import ArgumentParser
import CommandKit
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

extension KeyCommand {
  /// `mpaas key rotate --name N`: a successor, and the old key's word for it.
  struct Rotate: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("rotate", key: "key.rotate") }

    @Option(help: .text("command.key.name", valueName: "name"), completion: .keyNames)
    var name: String

    @Option(help: .text("command.key.rotate.successor", valueName: "name"))
    var successor: String?

    @Option(help: .text("command.key.expires", valueName: "time"))
    var expires: String?

    @Flag(help: .text("command.key.unencrypted"))
    var unencrypted = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RotatedKey {
      let rotated = try context.keys.rotate(
        name, to: successor, for: context.keyUse(expires: expires), opening: passphrase.source(in: context),
        passphrase.protection(unencrypted: unencrypted, in: context))
      return RotatedKey(
        old: KeyView(rotated.old, isTrusted: false, isEncrypted: rotated.isOldEncrypted, at: context.now()),
        new: KeyView(rotated.new, isTrusted: false, isEncrypted: !unencrypted, at: context.now()),
        statement: rotated.statement, context.catalogue)
    }
  }
}

/// A key and its successor, and what is to be done next.
struct RotatedKey: Presentable {
  let old: KeyView
  let new: KeyView
  /// The path of the signed hand-over.
  let statement: String?
  let steps: [String]

  init(old: KeyView, new: KeyView, statement: String?, _ catalogue: Catalogue) {
    self.old = old
    self.new = new
    self.statement = statement
    let values = ["old": old.name, "new": new.name, "path": statement ?? "", "recipient": new.publicKey]
    let keys =
      statement == nil
      ? ["text.key-step-recipient"]
      : ["text.key-step-sign", "text.key-step-registry", "text.key-step-trust", "text.key-step-revoke"]
    steps = keys.map { catalogue.text($0, values) }
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    document.line(
      StyledText(catalogue.text("text.key-rotated", ["old": old.name, "new": new.name])) + "  "
        + StyledText(new.fingerprint, .emphasis))
    if let statement { document.line(StyledText(catalogue.text("text.key-rotation-statement", ["path": statement]))) }
    document.line(StyledText(catalogue.text("text.key-rotation-steps"), .heading))
    for (index, step) in steps.enumerated() { document.line(StyledText("  \(index + 1). \(step)")) }
    return document
  }
}
