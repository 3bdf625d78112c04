import CommandKit
import KeyCommands
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrustTools

/// The outcome of a change of a repository: what readers see now, and what waits for whom.
struct RegistryOutcome: Presentable {
  struct Role: Encodable {
    let role: String
    let version: Int
    /// For each who has to agree: how many signatures there are and how many there must be, and whose are missing.
    let quorums: [Quorum]
    let added: [String]
    let changed: [String]
    let removed: [String]
  }

  struct Quorum: Encodable {
    let threshold: Int
    let signed: [Key]
    let open: [Key]
  }

  struct Key: Encodable {
    let keyID: String
    /// In this machine's store; nil where it does not know the key.
    let name: String?

    private enum CodingKeys: String, CodingKey {
      case keyID = "key_id"
      case name
    }

    var shown: String { name ?? String(keyID.prefix(16)) + "…" }
  }

  let repository: String
  let published: [RepositoryEditor.Outcome.Published]
  let pending: [Role]
  let blocked: [Role]
  var isComplete: Bool { pending.isEmpty && blocked.isEmpty }

  private enum CodingKeys: String, CodingKey {
    case repository, published, pending, blocked
  }

  init(_ outcome: RepositoryEditor.Outcome, repository: String, in context: Context) {
    self.init(
      repository: repository, published: outcome.published, pending: outcome.pending, blocked: outcome.blocked,
      names: KeyNames(context.keys))
  }

  init(
    repository: String, published: [RepositoryEditor.Outcome.Published], pending: [PendingRole],
    blocked: [PendingRole], names: KeyNames
  ) {
    func role(_ role: PendingRole) -> Role {
      let quorums = role.quorums.map { quorum in
        Quorum(
          threshold: quorum.threshold, signed: quorum.signed.map(names.key), open: quorum.open.map(names.key))
      }
      return Role(
        role: role.role, version: role.version, quorums: quorums, added: role.added, changed: role.changed,
        removed: role.removed)
    }
    self.repository = repository
    self.published = published
    self.pending = pending.map(role)
    self.blocked = blocked.map(role)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    if !published.isEmpty {
      let list = published.map { "\($0.role) \($0.version)" }
      // Bins come by the hundred.
      let shown = list.count > 8 ? list.prefix(8).joined(separator: ", ") + " …" : list.joined(separator: ", ")
      document.line(StyledText(catalogue.text("text.registry-published", ["list": shown])))
    }
    for role in pending + blocked { Self.describe(role, in: &document, catalogue) }
    let key = (pending + blocked).flatMap(\.quorums).filter { $0.signed.count < $0.threshold }.flatMap(\.open)
      .compactMap(\.name).first
    if !isComplete {
      let command = "mpaas registry sign --repository \(repository) --key \(key ?? "NAME")"
      document.line(StyledText(catalogue.text("text.registry-sign-next", ["command": command]), .faint))
    } else if published.isEmpty {
      document.line(StyledText(catalogue.text("text.registry-nothing")))
    }
    return document
  }

  private static func describe(_ role: Role, in document: inout Document, _ catalogue: Catalogue) {
    let name = "\(role.role) \(role.version)"
    let open = role.quorums.filter { $0.signed.count < $0.threshold }
    if open.isEmpty { document.line(StyledText(catalogue.text("text.registry-signed", ["role": name]))) }
    var lines: [String] = []
    for quorum in open {
      let values = [
        "role": name, "count": String(quorum.threshold - quorum.signed.count),
        "keys": quorum.open.map(\.shown).joined(separator: ", "),
      ]
      let line = catalogue.text("text.registry-waits", values)
      // The keys until now and the new ones may wait for the same person.
      if !lines.contains(line) { lines.append(line) }
    }
    for line in lines { document.line(StyledText(line)) }
    for (sign, names) in [("+", role.added), ("~", role.changed), ("-", role.removed)] {
      for name in names.prefix(50) { document.line(StyledText("  \(sign) \(name)")) }
      if names.count > 50 { document.line(StyledText("  \(sign) … \(names.count - 50)")) }
    }
  }
}

extension KeyNames {
  func key(_ identifier: String) -> RegistryOutcome.Key {
    RegistryOutcome.Key(keyID: identifier, name: self[identifier])
  }
}
