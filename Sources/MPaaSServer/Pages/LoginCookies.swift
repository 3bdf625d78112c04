/// The cookies of logins, which scripts cannot read; under TLS they are this host's alone.
struct LoginCookies: Sendable {
  let isSecure: Bool

  init(_ services: ServerServices) { isSecure = services.address.url.hasPrefix("https") }

  /// - Parameters:
  ///   - age: Seconds; 0 removes it.
  ///   - site: `Lax` for one that is sent too where another site leads here.
  func text(_ name: String, _ value: String, age: Int, site: String = "Strict") -> String {
    "\(name)=\(value); Path=/; HttpOnly; SameSite=\(site); Max-Age=\(age)\(isSecure ? "; Secure" : "")"
  }

  func session(_ token: String) -> String {
    text(hostName("mpaas_session"), token, age: Int(Sessions.longest))
  }

  /// A name that no other host can set under TLS.
  func hostName(_ name: String) -> String { isSecure ? "__Host-\(name)" : name }
}
