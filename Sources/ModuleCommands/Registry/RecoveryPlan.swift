import MPaaSTerminal
import MPaaSTrustTools

/// The way back after a key was lost or stolen, as commands to be entered one after the other.
struct RecoveryPlan: Presentable {
  struct Step: Encodable {
    /// A key of the catalogue: `text.registry-recovery-…`.
    let reason: String
    let command: String?

    init(_ reason: String, _ command: String? = nil) {
      self.reason = reason
      self.command = command.map { "mpaas " + $0 }
    }
  }

  let keyID: String
  let isStolen: Bool
  let roles: [String]
  let isPossible: Bool
  let steps: [Step]

  private enum CodingKeys: String, CodingKey {
    case keyID = "key_id"
    case isStolen = "stolen"
    case roles
    case isPossible = "possible"
    case steps
  }

  /// - Parameter word: The key, as the user named it.
  init(_ recovery: KeyRecovery, word: String, repository: String) {
    keyID = recovery.keyID
    isStolen = recovery.isStolen
    roles = recovery.roles
    isPossible = recovery.isPossible
    let roles = recovery.roles.joined(separator: " ")
    steps = recovery.steps.map { Step($0, word: word, roles: roles, repository: repository) }
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

extension RecoveryPlan.Step {
  fileprivate init(_ step: KeyRecovery.Step, word: String, roles: String, repository: String) {
    switch step {
    case .newRoot: self.init("new-root", "registry init \(repository)-2 --key NAME")
    case .shipRoot: self.init("ship-root")
    case .stolen: self.init("stolen")
    case .lost: self.init("lost")
    case .generate(let name): self.init("generate", "key generate --name \(name)")
    case .rotate(let added, let signers):
      let keys = signers.map { " --key \($0)" }.joined()
      self.init(
        "rotate", "registry rotate \(roles) --remove \(word) --add \(added)\(keys) --repository \(repository)")
    case .sign: self.init("sign", "registry status --repository \(repository)")
    case .refresh(let signer):
      self.init("refresh", "registry refresh --all --key \(signer) --repository \(repository)")
    case .review: self.init("review", "registry check --repository \(repository)")
    case .revoke: self.init("revoke", "key revoke --name \(word)")
    case .publish: self.init("publish", "registry push DESTINATION --repository \(repository)")
    }
  }
}
