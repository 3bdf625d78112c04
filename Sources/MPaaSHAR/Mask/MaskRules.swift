import MPaaSSupport

/// The places of secrets in a recording: by the names of headers, parameters and JSON members, and by their form.
package struct MaskRules: Sendable, Equatable {
  /// Names of headers whose values are masked, in lower case; `*` stands for any characters.
  package var headers: [String]
  /// Names of parameters of queries and forms, of members of JSON and of elements of XML, in lower case with `*`.
  package var names: [String]
  /// Places of JSON values: `card.number`, `items.*.secret`; `*` stands for one name or index.
  package var paths: [String]
  /// Tells whether numbers of 13 to 19 digits that pass the check of bank cards are masked anywhere.
  package var masksCards: Bool
  /// Tells whether signed tokens (`eyJ….….…`) and values after `Bearer` are masked anywhere.
  package var masksTokens: Bool
  /// The text in the place of a secret.
  package var mask: String

  package init(
    headers: [String], names: [String], paths: [String] = [], masksCards: Bool = true, masksTokens: Bool = true,
    mask: String = "masked"
  ) {
    self.headers = headers.map { $0.lowercased() }
    self.names = names.map { $0.lowercased() }
    self.paths = paths
    self.masksCards = masksCards
    self.masksTokens = masksTokens
    self.mask = mask
  }

  /// The rules of the kit.
  package static let usual = MaskRules(
    headers: [
      "authorization", "proxy-authorization", "cookie", "set-cookie", "cookie2", "set-cookie2", "authentication-info",
      "*-token", "*token", "*-secret", "*api-key", "*apikey", "*-password", "x-csrf*", "x-xsrf*", "x-session*",
      "x-amz-security-token", "sign", "x-mgs-proxy-signature", "dpop",
    ],
    names: [
      "*token", "*secret", "*password", "passwd", "pwd", "passphrase", "*api_key", "*apikey", "*api-key",
      "*access_key", "*accesskey", "*private_key", "*privatekey", "authorization", "auth", "sign", "signature",
      "x-amz-signature", "x-amz-credential", "sig", "session", "sessionid", "session_id", "jsessionid", "sid", "jwt",
      "code_verifier", "client_assertion", "otp", "pin", "cvv", "cvc", "cvv2", "card_number", "cardnumber", "cardno",
      "card_no", "pan", "ssn", "idcard", "id_card", "idcardno",
    ])

  /// No rules at all.
  package static let none = MaskRules(headers: [], names: [], masksCards: false, masksTokens: false)
}

/// Names that rules name, ready to be looked for.
struct NameSet: Sendable {
  private var exact: Set<String> = []
  private var globs: [Glob] = []

  init(_ names: [String]) {
    for name in names {
      if name.utf8.contains(UInt8(ascii: "*")) { globs.append(Glob(name)) } else { exact.insert(name) }
    }
  }

  func contains(_ name: String) -> Bool {
    let name = name.lowercased()
    return exact.contains(name) || globs.contains { $0.matches(name) }
  }
}
