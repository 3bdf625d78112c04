import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

extension RegistryCommand {
  /// `mpaas registry sign`: adds signatures to what is staged, and publishes what has enough.
  struct Sign: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("sign", key: "registry.sign") }

    @Option(
      name: .customLong("role"), help: .text("command.registry.sign.role", valueName: "role"),
      completion: .repositoryRoles)
    var roles: [String] = []

    @Option(
      name: .customLong("renew"), help: .text("command.registry.sign.renew", valueName: "role"),
      completion: .repositoryRoles)
    var renewed: [String] = []

    @Option(
      name: .customLong("signatures"), help: .text("command.registry.sign.signatures", valueName: "file"),
      completion: .file())
    var signatureFiles: [String] = []

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var keys: RegistryKeyOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RegistryOutcome {
      let editor = repository.editor(context)
      let signers = try keys.signers(for: editor, in: context)
      let outcome = try editor.sign(
        with: signers, roles: roles.isEmpty ? nil : Set(roles), renewing: renewed, takingSignaturesIn: signatureFiles)
      return RegistryOutcome(outcome, repository: repository.repository, in: context)
    }
  }

  /// `mpaas registry refresh`: renews what expires soon and is signed online.
  struct Refresh: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("refresh", key: "registry.refresh") }

    @Flag(help: .text("command.registry.refresh.all"))
    var all = false

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var keys: RegistryKeyOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RefreshedRegistry {
      let editor = repository.editor(context)
      let signers = try keys.signers(for: editor, in: context)
      let outcome = try editor.refresh(with: signers, all: all)
      return RefreshedRegistry(outcome: RegistryOutcome(outcome, repository: repository.repository, in: context))
    }
  }

  /// `mpaas registry status`: what is published and what is staged.
  struct Status: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("status", key: "registry.status") }

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RegistryStatus {
      var draft = try repository.editor(context).read()
      return RegistryStatus(
        try RepositoryStatus(of: &draft), repository: repository.repository, names: KeyNames(context.keys))
    }
  }
}

/// The outcome of a renewal; a timestamp that could not be signed is a negative answer, since readers will refuse it
/// soon.
struct RefreshedRegistry: Presentable {
  let outcome: RegistryOutcome

  func encode(to encoder: any Encoder) throws { try outcome.encode(to: encoder) }
  func document(_ catalogue: Catalogue) -> Document { outcome.document(catalogue) }
  var exit: ExitStatus { outcome.blocked.isEmpty ? .done : .negative }
}

/// The content of a repository.
struct RegistryStatus: Presentable {
  struct Role: Encodable {
    let role: String
    /// nil where it was never published.
    let version: Int?
    let expires: String?
    let threshold: Int
    let keys: [RegistryOutcome.Key]
    let targets: Int?
  }

  let roles: [Role]
  let targets: Int
  let waiting: RegistryOutcome

  private enum CodingKeys: String, CodingKey {
    case roles, targets
    case waiting = "staged"
  }

  init(_ status: RepositoryStatus, repository: String, names: KeyNames) {
    roles = status.roles.map { role in
      Role(
        role: role.name, version: role.version, expires: role.expires.map(MetadataTime.text),
        threshold: role.threshold, keys: role.keyIDs.map(names.key), targets: role.targets)
    }
    targets = status.targets
    waiting = RegistryOutcome(
      repository: repository, published: [], pending: status.pending, blocked: [], names: names)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    let columns = ["role", "version", "expires", "keys", "targets"].map { catalogue.text("text.registry-column-" + $0) }
    var table = Table(columns: [
      .init(columns[0]), .init(columns[1], isNumeric: true), .init(columns[2]), .init(columns[3]),
      .init(columns[4], isNumeric: true),
    ])
    for role in roles {
      let keys = "\(role.threshold)/\(role.keys.count) " + role.keys.map(\.shown).joined(separator: ", ")
      table.rows.append(
        [
          role.role, role.version.map(String.init) ?? "–", role.expires ?? "–", keys,
          role.targets.map(String.init) ?? "",
        ].map { StyledText($0) })
    }
    document.table(table)
    if !waiting.isComplete { document.blocks += waiting.document(catalogue).blocks }
    return document
  }
}
