import Crypto
import MPaaSDatabase
import MPaaSDigests
import MPaaSPush
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A login that is under way at the issuer; the browser keeps it, sealed, so that any server of the database can end it,
/// and the browser that began it alone.
struct LoginState: Sendable, Equatable {
  /// The secret that the issuer hands back (RFC 6749, 10.12).
  var state: String
  /// The secret that the token has.
  var nonce: String
  /// The secret whose digest the issuer was told (RFC 7636).
  var verifier: String
  /// The address that the issuer sends the browser back to.
  var redirect: String
  /// Seconds since 1970.
  var expires: Double

  /// Seconds that a login may take.
  static let lifetime = 600.0
  private static let longest = 4096
  private static let purpose = Array("mpaas login 1".utf8)

  init(state: String, nonce: String, verifier: String, redirect: String, expires: Double) {
    (self.state, self.nonce, self.verifier) = (state, nonce, verifier)
    (self.redirect, self.expires) = (redirect, expires)
  }

  /// Makes a new one.
  init(redirect: String, at now: Double) {
    func secret() -> String { Base64URL.encode(Access.randomBytes(32)) }
    self.init(
      state: secret(), nonce: secret(), verifier: secret(), redirect: redirect, expires: now + Self.lifetime)
  }

  /// The digest of the verifier (RFC 7636, 4.2).
  var challenge: String { Base64URL.encode(verifier.utf8.sha256) }

  // MARK: - In the browser

  /// The text that the browser keeps, which tells it nothing; nil where the system cannot seal.
  func sealed(_ key: SymmetricKey) -> String? {
    let fields: JSONValue = [
      "state": .string(state), "nonce": .string(nonce), "verifier": .string(verifier), "redirect": .string(redirect),
      "expires": JSONValue(expires) ?? .null,
    ]
    let box = try? AES.GCM.seal(Array(fields.line.utf8), using: key, authenticating: Self.purpose)
    return box?.combined.map { Base64URL.encode(Array($0)) }
  }

  /// Opens what a browser kept; nil where another key sealed it, or its time is over.
  init?(_ text: String, _ key: SymmetricKey, at now: Double) {
    guard text.utf8.count <= Self.longest, let bytes = Base64URL.decode(text.utf8),
      let box = try? AES.GCM.SealedBox(combined: bytes),
      let plain = try? AES.GCM.open(box, using: key, authenticating: Self.purpose),
      let fields = OpenIDJSON.object(Array(plain)), let state = fields["state"]?.string,
      let nonce = fields["nonce"]?.string, let verifier = fields["verifier"]?.string,
      let redirect = fields["redirect"]?.string, let expires = fields["expires"]?.double, expires > now,
      expires <= now + Self.lifetime + IdentityToken.leeway
    else { return nil }
    self.init(state: state, nonce: nonce, verifier: verifier, redirect: redirect, expires: expires)
  }

  // MARK: - In the database

  /// Ends it, once for all servers; says whether it was not over before.
  func spend(at now: Double, in database: any SQLDatabase) throws -> Bool {
    try database.run("DELETE FROM openid_logins WHERE expires <= ?", [.real(now)])
    try database.run(
      "INSERT INTO openid_logins (state, expires) VALUES (?, ?) ON CONFLICT DO NOTHING",
      [.blob(state.utf8.sha256), .real(expires)])
    return database.changes > 0
  }

  /// The key that logins are sealed with, which all servers of the database have; made the first time.
  static func key(of store: ServerStore) async throws -> SymmetricKey {
    let fresh = Access.randomBytes(32)
    try await StartStep.unlessFull {
      try await store.write {
        try $0.run(
          "INSERT INTO openid_secrets (id, secret) VALUES (1, ?) ON CONFLICT DO NOTHING", [.blob(fresh)])
      }
    }
    let stored = try await store.read { try $0.row("SELECT secret FROM openid_secrets WHERE id = 1") { $0.blob(0) } }
    return SymmetricKey(data: stored ?? fresh)
  }
}
