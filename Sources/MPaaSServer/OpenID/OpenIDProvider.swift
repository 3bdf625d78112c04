import MPaaSSupport

/// The endpoints of an issuer and the ways in which it speaks.
///
/// - Source: OpenID Connect Discovery 1.0, section 3; RFC 9207 for `iss` in answers.
struct OpenIDProvider: Sendable, Equatable {
  /// The address that people are sent to.
  let authorization: OpenIDAddress
  /// The address that trades codes for tokens.
  let token: OpenIDAddress
  let keys: OpenIDAddress
  /// The address of what the issuer knows of a person beside the token.
  let userInfo: OpenIDAddress?
  /// Tells whether the console shows its secret in the form instead of by Basic.
  let takesSecretInForm: Bool
  /// Tells whether each answer names the issuer.
  let namesItself: Bool

  static let path = "/.well-known/openid-configuration"

  /// Reads what an issuer says of itself.
  ///
  /// - Throws: `oidc-answer` with the member that cannot be used.
  init(_ bytes: [UInt8], of issuer: OpenIDAddress) throws(ServerError) {
    func wrong(_ member: String) -> ServerError {
      ServerError(.openIDAnswer, ["endpoint": issuer.url + Self.path, "reason": member])
    }
    guard let object = OpenIDJSON.object(bytes) else { throw wrong("JSON") }
    // Otherwise another one could speak in its name (section 4.3).
    guard object["issuer"]?.string?.utf8.elementsEqual(issuer.url.utf8) == true else { throw wrong("issuer") }
    func address(_ member: String) -> OpenIDAddress? {
      let address = object[member]?.string.flatMap(OpenIDAddress.init)
      return address.flatMap { $0.isPlain && !issuer.isPlain ? nil : $0 }
    }
    guard let authorization = address("authorization_endpoint") else { throw wrong("authorization_endpoint") }
    guard let token = address("token_endpoint") else { throw wrong("token_endpoint") }
    guard let keys = address("jwks_uri") else { throw wrong("jwks_uri") }
    (self.authorization, self.token, self.keys) = (authorization, token, keys)
    userInfo = address("userinfo_endpoint")
    let methods = object["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.string)
    takesSecretInForm = methods.map { !$0.contains("client_secret_basic") } ?? false
    namesItself = object["authorization_response_iss_parameter_supported"]?.bool ?? false
    if let methods = object["code_challenge_methods_supported"]?.array?.compactMap(\.string),
      !methods.contains("S256")
    {
      throw wrong("code_challenge_methods_supported")
    }
  }
}

/// JSON of issuers, of whom nothing is believed.
enum OpenIDJSON {
  private static let rules = JSONRules(depth: 32, isStrict: false, refusesBrokenText: true)

  static func object(_ bytes: [UInt8]) -> JSONValue.Object? {
    (try? bytes.withUnsafeBytes { try JSONValue(reading: $0, by: rules) })?.object
  }
}
