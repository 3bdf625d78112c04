import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

extension KeyCommand {
  /// `mpaas key remove --name N`: takes a key away for good.
  struct Remove: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("remove", key: "key.remove") }

    @Option(help: .text("command.key.name", valueName: "name"), completion: .allKeyNames)
    var name: String

    @Flag(help: .text("command.key.trusted"))
    var trusted = false

    @Flag(help: .text("command.key.remove.force"))
    var force = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> KeyChange {
      let removal = try context.keys.remove(name, isTrusted: trusted) { words in
        let question = context.catalogue.text("text.key-remove-ask", ["name": name, "fingerprint": words])
        return try force || context.terminal.confirm(question, option: "--force")
      }
      return KeyChange(
        name: name, change: removal.isRemoved ? .removed : .kept, fingerprint: removal.fingerprint)
    }
  }

  /// `mpaas key revoke --name N`: nothing that the key signs is accepted any more.
  struct Revoke: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("revoke", key: "key.revoke") }

    @Option(help: .text("command.key.name", valueName: "name"), completion: .allKeyNames)
    var name: String

    @Flag(help: .text("command.key.trusted"))
    var trusted = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> KeyChange {
      let (_, isTrusted) = try context.keys.anyRecord(name, isTrusted: trusted)
      let record = try context.keys.update(name, isTrusted: isTrusted) { $0.revoked = $0.revoked ?? context.now() }
      return KeyChange(name: name, change: .revoked, fingerprint: record.publicKey.fingerprint.words)
    }
  }
}

/// The fate of a key.
struct KeyChange: Presentable {
  enum Change: String, Encodable { case removed, kept, revoked, trusted }

  let name: String
  let change: Change
  let fingerprint: String

  var exit: ExitStatus { change == .kept ? .negative : .done }

  func document(_ catalogue: Catalogue) -> Document {
    [
      .line(
        StyledText(catalogue.text("text.key-change-\(change.rawValue)", ["name": name, "fingerprint": fingerprint])))
    ]
  }
}
