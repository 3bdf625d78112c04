import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

extension RegistryCommand {
  /// `mpaas registry rotate ROLE`: other keys for a role; without a role, the way back after a key was lost or stolen.
  struct Rotate: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("rotate", key: "registry.rotate") }

    @Argument(help: .text("command.registry.rotate.roles"), completion: .repositoryRoles)
    var roles: [String] = []

    @Option(
      name: .customLong("add"), help: .text("command.registry.rotate.add", valueName: "name"), completion: .allKeyNames)
    var added: [String] = []

    @Option(
      name: .customLong("remove"), help: .text("command.registry.rotate.remove", valueName: "name"),
      completion: .allKeyNames)
    var removed: [String] = []

    @Option(help: .text("command.registry.rotate.threshold", valueName: "count"))
    var threshold: Int?

    @Option(help: .text("command.registry.rotate.lost", valueName: "name"), completion: .allKeyNames)
    var lost: String?

    @Option(help: .text("command.registry.rotate.stolen", valueName: "name"), completion: .allKeyNames)
    var stolen: String?

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var keys: RegistryKeyOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RotatedRegistry {
      let editor = repository.editor(context)
      let keyring = keys.keyring(in: context)
      if let word = lost ?? stolen {
        let recovery = try keyring.recovery(of: word, isStolen: stolen != nil, in: editor)
        return .recovery(RecoveryPlan(recovery, word: word, repository: repository.repository))
      }
      guard !roles.isEmpty, !added.isEmpty || !removed.isEmpty || threshold != nil else {
        throw Diagnostic("registry-rotate-what", exit: .usage)
      }
      let outcome = try keyring.rotate(
        roles, adding: added, removing: removed, threshold: threshold, in: editor, signedBy: keys.keys)
      return .outcome(RegistryOutcome(outcome, repository: repository.repository, in: context))
    }
  }
}

/// The answer of `rotate`: what became of the change, or what to do.
enum RotatedRegistry: Presentable {
  case outcome(RegistryOutcome)
  case recovery(RecoveryPlan)

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .outcome(let outcome): try outcome.encode(to: encoder)
    case .recovery(let recovery): try recovery.encode(to: encoder)
    }
  }

  func document(_ catalogue: Catalogue) -> Document {
    switch self {
    case .outcome(let outcome): outcome.document(catalogue)
    case .recovery(let recovery): recovery.document(catalogue)
    }
  }
}
