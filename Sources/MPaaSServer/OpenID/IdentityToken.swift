import MPaaSDigests
import MPaaSPush
import MPaaSSupport

/// The reason why a token says nothing about a person.
enum IdentityTokenFault: String, Error, Sendable, CaseIterable {
  /// Not three parts of base64url with JSON in two of them, or longer than any.
  case malformed
  /// An algorithm that is not taken: none at all, or one whose key the console would share.
  case algorithm
  /// An extension that has to be understood.
  case critical
  /// A key that the issuer does not publish.
  case key
  case signature
  case issuer
  /// For another client.
  case audience
  /// For several clients, and sent to another.
  case party
  case subject
  case expired
  /// Not valid yet.
  case early
  /// Without a time of its making, or made in the future.
  case issued
  /// For another login.
  case nonce
  /// With an access token that is not its own.
  case accessHash = "access-hash"

  var error: ServerError { ServerError(.openIDToken, ["reason": "oidc-" + rawValue]) }
}

/// A token of which everything was verified.
///
/// - Source: OpenID Connect Core 1.0, section 3.1.3.7; RFC 8725 for what is not believed.
struct IdentityToken: Sendable {
  let subject: String
  let claims: JSONValue.Object

  /// The facts that a token has to agree with.
  struct Expectation: Sendable {
    var issuer: String
    var client: String
    var nonce: String
    /// The token that came with it.
    var accessToken: String?
    /// Seconds since 1970.
    var now: Double
  }

  static let longest = 64 << 10
  /// Seconds by which clocks may differ.
  static let leeway = 60.0
  private static let longestSubject = 255

  init(_ text: String, by keys: IssuerKeys, _ expected: Expectation) throws(IdentityTokenFault) {
    guard text.utf8.count <= Self.longest, let token = JSONWebToken(text) else { throw .malformed }
    let (algorithm, id) = try Self.head(of: token)
    let candidates = keys.candidates(algorithm, id: id)
    guard !candidates.isEmpty else { throw .key }
    guard candidates.contains(where: { $0.verifies(token) }) else { throw .signature }
    claims = token.claims
    guard Self.isText(claims["iss"], expected.issuer) else { throw .issuer }
    try Self.checkAudience(claims, expected.client)
    guard let subject = claims["sub"]?.string, (1...Self.longestSubject).contains(subject.utf8.count),
      subject.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f && !$0.properties.isWhitespace })
    else { throw .subject }
    self.subject = subject
    try Self.checkTimes(claims, expected.now)
    guard let nonce = claims["nonce"]?.string,
      Array(nonce.utf8).isEqualInConstantTime(to: Array(expected.nonce.utf8))
    else { throw .nonce }
    if let hash = claims["at_hash"] {
      guard let access = expected.accessToken, Self.isText(hash, Self.hash(access, algorithm)) else {
        throw .accessHash
      }
    }
  }

  /// The algorithm of a token and the name of its key, where it names one, before anything of it is believed.
  ///
  /// - Throws: What `init` throws of its head.
  static func head(of text: String) throws(IdentityTokenFault) -> (algorithm: SigningAlgorithm, id: String?) {
    guard text.utf8.count <= longest, let token = JSONWebToken(text) else { throw .malformed }
    return try head(of: token)
  }

  private static func head(
    of token: JSONWebToken
  ) throws(IdentityTokenFault) -> (algorithm: SigningAlgorithm, id: String?) {
    guard let algorithm = token.header["alg"]?.string.flatMap(SigningAlgorithm.init(rawValue:)) else {
      throw .algorithm
    }
    guard token.header["crit"] == nil else { throw .critical }
    guard let id = token.header["kid"] else { return (algorithm, nil) }
    guard let name = id.string else { throw .malformed }
    return (algorithm, name)
  }

  private static func checkAudience(_ claims: JSONValue.Object, _ client: String) throws(IdentityTokenFault) {
    let audience = claims["aud"]?.array ?? claims["aud"].map { [$0] } ?? []
    guard audience.contains(where: { isText($0, client) }) else { throw .audience }
    guard claims["azp"].map({ isText($0, client) }) ?? (audience.count == 1) else { throw .party }
  }

  /// Tells whether a value is a text, byte by byte: what Unicode takes for the same is another one.
  private static func isText(_ value: JSONValue?, _ text: String) -> Bool {
    value?.string?.utf8.elementsEqual(text.utf8) ?? false
  }

  private static func checkTimes(_ claims: JSONValue.Object, _ now: Double) throws(IdentityTokenFault) {
    guard let end = claims["exp"]?.double, end.isFinite, now < end + leeway else { throw .expired }
    guard let made = claims["iat"]?.double, made.isFinite, made <= now + leeway else { throw .issued }
    if let start = claims["nbf"] {
      guard let start = start.double, start.isFinite, start <= now + leeway else { throw .early }
    }
  }

  /// The left half of the digest of an access token (section 3.1.3.6).
  static func hash(_ accessToken: String, _ algorithm: SigningAlgorithm) -> String {
    let digest: DigestAlgorithm = algorithm == .edDSA ? .sha512 : .sha256
    let bytes = digest.digest(of: Array(accessToken.utf8))
    return Base64URL.encode(Array(bytes.prefix(bytes.count / 2)))
  }
}
