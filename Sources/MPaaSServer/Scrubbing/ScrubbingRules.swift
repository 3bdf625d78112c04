/// The rules by which what is sent is scrubbed before it is stored.
struct ScrubbingRules: Sendable, Equatable, Codable {
  /// The kinds of what is found without a rule of an app's own.
  enum Kind: String, Sendable, CaseIterable, Codable {
    /// An e-mail address within a text.
    case email
    /// The number of a payment card: 13 to 19 digits of a known issuer with a right check digit (ISO/IEC 7812-1).
    case card
    /// An IP address that is not of the device itself.
    case ip
    /// Values of keys that name a secret (`password`, `token`, `cookie` …), `key=value` in texts, JSON Web Tokens.
    case secret
  }

  /// All kinds unless an app says otherwise.
  var builtin = Set(Kind.allCases)
  /// Patterns of further keys whose values are taken out; `*` stands for any text.
  var keys: [String] = []
  /// Patterns of keys whose values stay as they are.
  var keep: [String] = []

  private static let most = 100
  private static let longest = 200

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let named = try container.decodeIfPresent([Kind].self, forKey: .builtin) { builtin = Set(named) }
    keys = try container.decodeIfPresent([String].self, forKey: .keys) ?? []
    keep = try container.decodeIfPresent([String].self, forKey: .keep) ?? []
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Kind.allCases.filter(builtin.contains), forKey: .builtin)
    try container.encode(keys, forKey: .keys)
    try container.encode(keep, forKey: .keep)
  }

  private enum CodingKeys: String, CodingKey { case builtin, keys, keep }

  /// - Throws: `Refusal` `server-bad-request` naming the list that has too many patterns, or one that is too long.
  func check() throws {
    for (name, patterns) in [("keys", keys), ("keep", keep)] {
      let isShort = patterns.allSatisfy { (1...Self.longest).contains($0.utf8.count) }
      guard patterns.count <= Self.most, isShort else { throw Refusal(.badRequest, ["reason": name]) }
    }
  }
}
