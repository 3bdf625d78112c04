import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

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

    @Option(help: .text("command.registry.delegate.from", valueName: "role"), completion: .targetsRoles)
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
      let outcome = try keys.keyring(in: context).delegate(
        role, delegation, keys: roleKeys, threshold: threshold, in: repository.editor(context), signedBy: keys.keys)
      return RegistryOutcome(outcome, repository: repository.repository, in: context)
    }

    private var delegation: RepositoryKeyring.Delegation {
      if revoke { return .revoke }
      guard let bins else {
        return .role(paths: paths, isTerminating: terminating, isOnline: online, parent: from)
      }
      return .bins(count: bins, prefix: binPrefix ?? role + "-bin", isSuccinct: succinct)
    }
  }
}
