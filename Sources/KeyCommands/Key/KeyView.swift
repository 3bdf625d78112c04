import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A key as commands show it.
struct KeyView: Encodable, Sendable {
  let name: String
  let kind: String
  let fingerprint: String
  let sha256: String
  let keyID: String
  /// PEM, or `age1…`.
  let publicKey: String
  /// Empty: every role.
  let roles: [String]
  let created: String
  let expires: String?
  let revoked: String?
  let rotatedFrom: String?
  let rotatedTo: String?
  let state: KeyRecord.State
  /// Tells whether it is a public key of somebody else.
  let isTrusted: Bool
  /// Tells whether a passphrase opens the private half; nil where there is none.
  let isEncrypted: Bool?

  private enum CodingKeys: String, CodingKey {
    case name, kind, fingerprint, sha256, roles, created, expires, revoked, state
    case keyID = "key_id"
    case publicKey = "public"
    case rotatedFrom = "rotated_from"
    case rotatedTo = "rotated_to"
    case isTrusted = "trusted"
    case isEncrypted = "encrypted"
  }

  init(_ record: KeyRecord, isTrusted: Bool, isEncrypted: Bool? = nil, at now: Date) {
    name = record.name
    kind = record.publicKey.kind.rawValue
    fingerprint = record.publicKey.fingerprint.words
    sha256 = record.publicKey.fingerprint.hexadecimal
    keyID = record.publicKey.keyID
    publicKey = record.publicKey.text
    roles = record.roles.map(\.rawValue)
    created = MetadataTime.text(record.created)
    expires = record.expires.map(MetadataTime.text)
    revoked = record.revoked.map(MetadataTime.text)
    rotatedFrom = record.rotatedFrom
    rotatedTo = record.rotatedTo
    self.isTrusted = isTrusted
    self.isEncrypted = isEncrypted
    state = record.state(at: now)
  }

  /// The roles in words.
  func roleText(_ catalogue: Catalogue) -> String {
    roles.isEmpty ? catalogue.text("text.key-every-role") : roles.joined(separator: ", ")
  }

  func styledState(_ catalogue: Catalogue) -> StyledText {
    let text = catalogue.text("text.key-state-\(state.rawValue)")
    return StyledText(text, state == .good ? .good : state == .rotated ? .warning : .bad)
  }
}

/// One key with all that is known of it.
struct KeyDetails: Presentable {
  let key: KeyView
  /// The command's sentence about it in text, before the rest.
  var sentence: String?

  func encode(to encoder: any Encoder) throws { try key.encode(to: encoder) }

  func document(_ catalogue: Catalogue) -> Document {
    var rows: [(String, StyledText)] = [
      ("text.key-name", StyledText(key.name, .emphasis)), ("text.key-kind", StyledText(key.kind)),
      ("text.key-fingerprint", StyledText(key.fingerprint, .emphasis)), ("text.key-sha256", StyledText(key.sha256)),
      ("text.key-id", StyledText(key.keyID)), ("text.key-roles", StyledText(key.roleText(catalogue))),
      ("text.key-state", key.styledState(catalogue)), ("text.key-created", StyledText(key.created)),
    ]
    if let expires = key.expires { rows.append(("text.key-expires", StyledText(expires))) }
    if let revoked = key.revoked { rows.append(("text.key-revoked-at", StyledText(revoked))) }
    if let from = key.rotatedFrom { rows.append(("text.key-rotated-from", StyledText(from))) }
    if let to = key.rotatedTo { rows.append(("text.key-rotated-to", StyledText(to))) }
    if let isEncrypted = key.isEncrypted {
      rows.append(("text.key-private", StyledText(catalogue.text("text.key-encrypted-\(isEncrypted)"))))
    }
    var document = Document()
    if let sentence { document.line(StyledText(sentence)) }
    let width = rows.map { catalogue.text($0.0).displayWidth }.max() ?? 0
    for (label, value) in rows {
      let text = catalogue.text(label)
      let space = String(repeating: " ", count: width - text.displayWidth + 2)
      document.line(StyledText(text + space, .faint) + value)
    }
    return document
  }
}
