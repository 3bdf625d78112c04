import MPaaSDatabase
import MPaaSDigests
import MPaaSSupport

/// The receipt of a removal: what was removed, without the name of whose it was.
struct ErasureReceipt: Sendable, Equatable, Encodable {
  var id: String
  /// Seconds since 1970.
  var time: Double
  /// The keys of the apps.
  var apps: [String]
  /// A digest of the user's name under a secret of this console: the same user has the same.
  var subject: String
  /// The numbers of what was removed, by its kind; kinds of which there was nothing are left out.
  var removed: [String: Int]
  /// The SHA-256 of `text`, in hexadecimal; the audit log has it, too.
  var digest = ""

  init(id: String, time: Double, apps: [String], subject: String, removed: [String: Int]) {
    self.id = id
    self.time = time
    self.apps = apps
    self.subject = subject
    self.removed = removed.filter { $0.value > 0 }
    digest = text.utf8.sha256.hexadecimal
  }

  private var counts: [String] { removed.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } }

  /// The lines that the digest is of: id, milliseconds since 1970, apps, subject, and each kind with its number.
  private var text: String {
    let moment = String(Int64(clamping: Int((time * 1000).rounded())))
    return ([id, moment, apps.joined(separator: " "), subject] + counts).joined(separator: "\n")
  }

  /// The entry of the audit log.
  func deed(by actor: String) -> AuditTrail.Deed {
    AuditTrail.Deed(
      actor: actor, action: "user.erased", object: id,
      detail: ([subject, digest] + counts).joined(separator: " "), app: apps.count == 1 ? apps.first : nil)
  }

  /// The digest of a user's name under the console's secret, which is made where there is none.
  static func subject(of user: String, in database: any SQLDatabase) throws -> String {
    let stored = try database.row("SELECT secret FROM erasure_secret WHERE id = 1") { $0.blob(0) }
    let secret = stored ?? Access.randomBytes(32)
    if stored == nil {
      try database.run("INSERT INTO erasure_secret (id, secret) VALUES (1, ?)", [.blob(secret)])
    }
    return HMAC(.sha256, key: secret)?.code(of: Array(user.utf8)).prefix(16).hexadecimal ?? ""
  }
}
