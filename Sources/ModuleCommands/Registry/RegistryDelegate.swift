import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

extension RegistryCommand {
  /// `mpaas registry delegate ROLE`: hands a part of the names to others.
  struct Delegate: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("delegate", key: "registry.delegate") }

    @Argument(help: .text("command.registry.delegate.role"))
    var role: String

    @Option(name: .customLong("path"), help: .text("command.registry.delegate.path", valueName: "pattern"))
    var paths: [String] = []

    @Option(
      name: .customLong("key-for-role"), help: .text("command.registry.delegate.key-for-role", valueName: "name"),
      completion: .keyNames)
    var roleKeys: [String] = []

    @Option(help: .text("command.registry.delegate.threshold", valueName: "count"))
    var threshold = 1

    @Option(help: .text("command.registry.delegate.from", valueName: "role"))
    var from = "targets"

    @Flag(help: .text("command.registry.delegate.terminating"))
    var terminating = false

    @Flag(help: .text("command.registry.delegate.online"))
    var online = false

    @Option(help: .text("command.registry.delegate.bins", valueName: "count"))
    var bins: Int?

    @Option(name: .customLong("bin-prefix"), help: .text("command.registry.delegate.bin-prefix", valueName: "name"))
    var binPrefix: String?

    @Flag(help: .text("command.registry.delegate.succinct"))
    var succinct = false

    @Flag(help: .text("command.registry.delegate.revoke"))
    var revoke = false

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var keys: RegistryKeyOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RegistryOutcome {
      let editor = repository.editor(context)
      let own = try roleKeys.map { try RegistryKey($0, in: context) }
      for key in own { try key.check(for: role, at: context) }
      guard revoke || !own.isEmpty else { throw Diagnostic("registry-role-keys", ["role": role], exit: .usage) }
      var signers = try keys.signers(for: editor, in: context)
      let others = own.filter { !keys.keys.contains($0.word) }
      signers += try keys.open(others, holders: [:], in: context)
      let publicKeys = own.map(\.publicKey)
      let outcome = try editor.edit(keys: signers) { draft throws(TrustError) in
        if revoke {
          try draft.revoke(role)
        } else if let bins {
          try draft.divide(
            role, into: bins, prefix: binPrefix ?? role + "-bin", keys: publicKeys, threshold: threshold,
            isSuccinct: succinct)
        } else {
          let new = RepositoryDraft.NewRole(
            role, paths: paths, keys: publicKeys, threshold: threshold, isTerminating: terminating, isOnline: online)
          try draft.delegate(new, from: from)
        }
      }
      return RegistryOutcome(outcome, repository: repository.repository, in: context)
    }
  }
}
