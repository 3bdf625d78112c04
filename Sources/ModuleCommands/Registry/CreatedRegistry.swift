import CommandKit
import MPaaSTerminal
import MPaaSToolSupport
import MPaaSTrustTools

/// A new repository: what is published, when it expires, and what its users need.
struct CreatedRegistry: Presentable {
  struct Validity: Encodable {
    let role: String
    let days: Int
    /// A shell line.
    let renewal: String
  }

  private let outcome: RegistryOutcome
  private let validity: [Validity]
  /// The file that users begin to trust.
  private let root: String

  private enum CodingKeys: String, CodingKey { case validity, root }

  init(_ outcome: RegistryOutcome, validity: [RoleValidity]) {
    let folder = outcome.repository.shellWord()
    self.outcome = outcome
    self.validity = validity.map { entry in
      let renewal = entry.isOnline ? "refresh" : "sign --renew \(entry.role) --key NAME"
      return Validity(
        role: entry.role, days: entry.days, renewal: "mpaas registry \(renewal) --repository \(folder)")
    }
    root = outcome.repository + "/metadata/1.root.json"
  }

  func encode(to encoder: any Encoder) throws {
    try outcome.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(validity, forKey: .validity)
    try container.encode(root, forKey: .root)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = outcome.document(catalogue)
    document.line()
    document.table(
      Table(
        columns: ["role", "days", "renewal"].map { .init(catalogue.text("text.registry-validity-\($0)")) },
        rows: validity.map { [StyledText($0.role), StyledText(String($0.days)), StyledText($0.renewal)] }))
    document.line()
    for key in ["timer", "users"] {
      document.line(StyledText(catalogue.text("text.registry-validity-\(key)", ["root": root]), .faint))
    }
    document.line("  " + StyledText("mpaas sdk registry add NAME ADDRESS --root 1.root.json", .emphasis))
    return document
  }
}
