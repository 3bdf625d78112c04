import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
package import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The choice of a repository.
struct RepositoryOption: ParsableArguments {
  @Option(
    name: .customLong("repository"), help: .text("command.registry.repository", valueName: "folder"),
    completion: .directory)
  var folder: String?

  /// The folder that was named, else that of `MPAAS_REPOSITORY`, else this one.
  var repository: String {
    folder ?? ProcessInfo.processInfo.environment["MPAAS_REPOSITORY"].flatMap { $0.isEmpty ? nil : $0 } ?? "."
  }

  func editor(_ context: Context) -> RepositoryEditor { RepositoryEditor(repository, now: context.now) }
}

/// The keys that sign.
struct RegistryKeyOptions: ParsableArguments {
  @Option(name: .customLong("key"), help: .text("command.registry.key", valueName: "name"), completion: .keyNames)
  var keys: [String] = []

  @OptionGroup var passphrase: PassphraseOptions

  /// The keys of this machine; those that are to be opened ask for their passphrases.
  func keyring(in context: Context) -> RepositoryKeyring {
    RepositoryKeyring(context.keys) { try passphrase.source(in: context).open($0) }
  }

  /// Opens the keys that were named, and those that the repository's settings name and this machine has.
  func signers(for editor: RepositoryEditor, in context: Context) throws -> [SigningKey] {
    try keyring(in: context).signers(keys, for: editor)
  }
}

/// `ROLE=VALUE`.
extension RepositoryCreation.Assignment: ExpressibleByArgument {
  package init?(argument: String) {
    guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex else { return nil }
    let value = String(argument[argument.index(after: sign)...])
    if value.isEmpty { return nil }
    self.init(role: String(argument[..<sign]), value: value)
  }
}
