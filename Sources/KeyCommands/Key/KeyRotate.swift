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
      let store = context.keys
      let next = successor ?? store.successorName(of: name)
      let end = try expires.map { try context.expiry($0) }
      let sealed = try store.sealedKey(name)
      try store.checkFree(next)
      let opening = sealed.isEncrypted ? try passphrase.existing(for: name, in: context) : nil
      let secret = unencrypted ? nil : try passphrase.fresh(for: next, at: opening == nil ? 0 : 1, in: context)
      let (old, new, statement) = try store.rotate(
        name, to: next, expires: end, passphrase: opening, newPassphrase: secret)
      return RotatedKey(
        old: KeyView(old, isTrusted: false, isEncrypted: sealed.isEncrypted, at: context.now()),
        new: KeyView(new, isTrusted: false, isEncrypted: !unencrypted, at: context.now()), statement: statement,
        context.catalogue)
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
