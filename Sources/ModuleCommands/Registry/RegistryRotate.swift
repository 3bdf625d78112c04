import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

extension RegistryCommand {
  /// `mpaas registry rotate ROLE`: other keys for a role; without a role, the way back after a key was lost or stolen.
  struct Rotate: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("rotate", key: "registry.rotate") }

    @Argument(help: .text("command.registry.rotate.roles"))
    var roles: [String] = []

    @Option(name: .customLong("add"), help: .text("command.registry.rotate.add", valueName: "name"))
    var added: [String] = []

    @Option(name: .customLong("remove"), help: .text("command.registry.rotate.remove", valueName: "name"))
    var removed: [String] = []

    @Option(help: .text("command.registry.rotate.threshold", valueName: "count"))
    var threshold: Int?

    @Option(help: .text("command.registry.rotate.lost", valueName: "name"))
    var lost: String?

    @Option(help: .text("command.registry.rotate.stolen", valueName: "name"))
    var stolen: String?

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var keys: RegistryKeyOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RotatedRegistry {
      let editor = repository.editor(context)
      if let word = lost ?? stolen {
        var draft = try editor.read()
        let identifier = try identifier(word, in: context)
        return .recovery(
          try KeyRecovery(
            of: identifier, word: word, isStolen: stolen != nil, in: &draft, repository: repository.repository,
            names: KeyNames(context)))
      }
      guard !roles.isEmpty, !added.isEmpty || !removed.isEmpty || threshold != nil else {
        throw Diagnostic("registry-rotate-what", exit: .usage)
      }
      let new = try added.map { try RegistryKey($0, in: context) }
      for key in new { for role in roles { try key.check(for: role, at: context) } }
      let rotation = MPaaSTrust.KeyRotation(
        adding: new.map(\.publicKey), removing: try removed.map { try identifier($0, in: context) },
        threshold: threshold)
      var signers = try keys.signers(for: editor, in: context)
      signers += try keys.open(new.filter { !keys.keys.contains($0.word) }, holders: [:], in: context)
      let outcome = try editor.edit(keys: signers) { draft throws(TrustError) in
        for role in roles { try draft.rotate(role, rotation) }
        // The settings name the keys that commands use without being told.
        for (word, key) in zip(added, new) where key.sealed?.isEncrypted == false {
          let isOnline = roles.contains {
            ["snapshot", "timestamp"].contains($0) || draft.settings.onlineRoles.contains($0)
          }
          if isOnline, !draft.settings.onlineKeys.contains(word) { draft.settings.onlineKeys.append(word) }
        }
      }
      return .outcome(RegistryOutcome(outcome, repository: repository.repository, in: context))
    }

    /// The identifier of a key by a name, a file, or the beginning of the identifier itself.
    private func identifier(_ word: String, in context: Context) throws -> String {
      if let key = try? RegistryKey(word, in: context) { return key.publicKey.keyID }
      var draft = try repository.editor(context).read()
      let known = Set(try draft.keyHolders().values.joined().flatMap(\.keys.keyIDs)).filter { $0.hasPrefix(word) }
      guard word.utf8.count >= 8, known.count == 1, let found = known.first else {
        return try RegistryKey(word, in: context).publicKey.keyID
      }
      return found
    }
  }
}

/// What `rotate` has to say: what became of the change, or what to do.
enum RotatedRegistry: Presentable {
  case outcome(RegistryOutcome)
  case recovery(KeyRecovery)

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

/// The way back after a key was lost or stolen, as commands to be entered one after the other.
struct KeyRecovery: Presentable {
  struct Step: Encodable {
    /// Of the catalogue: `text.registry-recovery-…`.
    let reason: String
    let command: String?
  }

  let keyID: String
  let isStolen: Bool
  let roles: [String]
  /// Whether the other keys of root are enough; without them readers need a new root from their makers.
  let isPossible: Bool
  let steps: [Step]

  private enum CodingKeys: String, CodingKey {
    case keyID = "key_id"
    case isStolen = "stolen"
    case roles
    case isPossible = "possible"
    case steps
  }

  init(
    of identifier: String, word: String, isStolen: Bool, in draft: inout RepositoryDraft, repository: String,
    names: KeyNames
  ) throws {
    keyID = identifier
    self.isStolen = isStolen
    let holders = try draft.keyHolders()
    let own = holders.filter { $0.value.last?.keys.keyIDs.contains(identifier) ?? false }
    let bins = Set(own.values.compactMap { $0.last.flatMap { $0.isBin ? $0 : nil } }.map(\.name)).sorted()
    // One bin stands for all of them.
    roles = own.keys.filter { !bins.dropFirst().contains($0) }.sorted()
    guard !own.isEmpty else { throw TrustError(.keyNotOfRole, ["key": word, "role": "*"]) }
    // While a change of keys is staged, both who speaks for the role now and who will have to sign.
    func signers(_ role: String) -> [String] {
      (holders[role] ?? []).flatMap { holder in
        let others = holder.keys.keyIDs.filter { $0 != identifier }
        return others.prefix(holder.keys.threshold).map { names.name($0) ?? String($0.prefix(16)) }
      }
    }
    // Readers know the published root only: what is staged is no obstacle yet.
    let root = holders["root"]?.first
    let left = (root?.keys.keyIDs ?? []).filter { $0 != identifier }.count
    isPossible = left >= (root?.keys.threshold ?? 1)
    guard isPossible || !own.keys.contains("root") else {
      steps = [
        Step(reason: "new-root", command: "mpaas registry init \(repository)-2 --key NAME"),
        Step(reason: "ship-root", command: nil),
      ]
      return
    }
    let new = (names.name(identifier) ?? "key") + "-new"
    var steps = [Step(reason: isStolen ? "stolen" : "lost", command: nil)]
    steps.append(Step(reason: "generate", command: "mpaas key generate --name \(new)"))
    let isTop = roles.contains { TopRole(rawValue: $0) != nil }
    var parents = isTop ? signers("root") : []
    for role in roles where TopRole(rawValue: role) == nil { parents += signers(own[role]?.last?.parent ?? "targets") }
    for role in roles where role == "targets" || TopRole(rawValue: role) == nil { parents += signers(role) }
    var seen: Set<String> = []
    let keys = parents.filter { seen.insert($0).inserted }.map { " --key \($0)" }.joined()
    let rotate = "mpaas registry rotate \(roles.joined(separator: " ")) --remove \(word) --add \(new)"
    steps.append(Step(reason: "rotate", command: "\(rotate)\(keys) --repository \(repository)"))
    steps.append(Step(reason: "sign", command: "mpaas registry status --repository \(repository)"))
    if isStolen {
      // Whoever had an online key may have counted versions up; new keys make clients forget that (TUF section 5.3.11).
      let isOnline = roles.contains { ["snapshot", "timestamp"].contains($0) }
      if isOnline {
        steps.append(
          Step(reason: "refresh", command: "mpaas registry refresh --all --key \(new) --repository \(repository)"))
      }
      steps.append(Step(reason: "review", command: "mpaas registry check --repository \(repository)"))
      if names.name(identifier) != nil {
        steps.append(Step(reason: "revoke", command: "mpaas key revoke --name \(word)"))
      }
    }
    steps.append(Step(reason: "publish", command: "mpaas registry push DESTINATION --repository \(repository)"))
    self.steps = steps
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    document.line(
      StyledText(
        catalogue.text(
          "text.registry-recovery-roles",
          ["key": String(keyID.prefix(16)), "roles": roles.joined(separator: ", ")]), .emphasis))
    for (index, step) in steps.enumerated() {
      document.line(StyledText("\(index + 1). \(catalogue.text("text.registry-recovery-" + step.reason))"))
      if let command = step.command { document.line(StyledText("   " + command, .path)) }
    }
    return document
  }
}
