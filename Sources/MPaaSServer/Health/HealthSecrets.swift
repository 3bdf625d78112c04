import MPaaSDatabase
import MPaaSDigests

/// The secrets of apps, under which the names of devices and users are stored as digests; for one transaction.
struct HealthSecrets {
  private var codes: [String: HMAC] = [:]

  /// The digest of a name under the app's secret: the first 64 bits of HMAC-SHA-256.
  mutating func member(_ name: String, app: String, in database: any SQLDatabase) throws -> UInt64 {
    guard let code = try code(of: app, in: database) else { return 0 }
    return code.code(of: Array(name.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func code(of app: String, in database: any SQLDatabase) throws -> HMAC? {
    if let code = codes[app] { return code }
    let secret: [UInt8]
    let stored = try database.row("SELECT secret FROM health_secrets WHERE app = ?", [.text(app)]) { $0.blob(0) }
    if let stored {
      secret = stored
    } else {
      secret = Access.randomBytes(32)
      try database.run("INSERT INTO health_secrets (app, secret) VALUES (?, ?)", [.text(app), .blob(secret)])
    }
    codes[app] = HMAC(.sha256, key: secret)
    return codes[app]
  }
}
