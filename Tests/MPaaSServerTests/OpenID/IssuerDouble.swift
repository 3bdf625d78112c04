import Crypto
import CryptoExtras
import Foundation
import MPaaSDigests
import MPaaSPush
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSServer

/// A private key of an issuer.
struct TestKey: Sendable {
  private enum Key: Sendable {
    case rsa(_RSA.Signing.PrivateKey)
    case p256(P256.Signing.PrivateKey)
    case ed25519(Curve25519.Signing.PrivateKey)
  }

  let id: String
  let algorithm: SigningAlgorithm
  private let key: Key

  init(_ algorithm: SigningAlgorithm, id: String = "k1") throws {
    (self.id, self.algorithm) = (id, algorithm)
    key =
      switch algorithm {
      case .rs256: .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
      case .es256: .p256(P256.Signing.PrivateKey())
      case .edDSA: .ed25519(Curve25519.Signing.PrivateKey())
      }
  }

  /// The public key as its issuer publishes it.
  var published: JSONValue.Object {
    var object: JSONValue.Object = ["kid": .string(id), "use": "sig", "alg": .string(algorithm.rawValue)]
    func text(_ bytes: some Sequence<UInt8>) -> JSONValue { .string(Base64URL.encode(Array(bytes))) }
    switch key {
    case .rsa(let key):
      guard let parts = try? key.publicKey.getKeyPrimitives() else { return object }
      object.merge(["kty": "RSA", "n": text(parts.modulus), "e": text(parts.publicExponent)]) { $1 }
    case .p256(let key):
      let point = key.publicKey.rawRepresentation
      object.merge(["kty": "EC", "crv": "P-256", "x": text(point.prefix(32)), "y": text(point.suffix(32))]) { $1 }
    case .ed25519(let key):
      object.merge(["kty": "OKP", "crv": "Ed25519", "x": text(key.publicKey.rawRepresentation)]) { $1 }
    }
    return object
  }

  /// The public key as texts have it that take secrets and public keys for the same.
  var pem: String {
    switch key {
    case .rsa(let key): key.publicKey.pemRepresentation
    case .p256(let key): key.publicKey.pemRepresentation
    case .ed25519(let key): Base64.encode(Array(key.publicKey.rawRepresentation))
    }
  }

  func sign(_ bytes: [UInt8]) throws -> [UInt8] {
    switch key {
    case .rsa(let key): Array(try key.signature(for: bytes, padding: .insecurePKCS1v1_5).rawRepresentation)
    case .p256(let key): Array(try key.signature(for: bytes).rawRepresentation)
    case .ed25519(let key): Array(try key.signature(for: bytes))
    }
  }

  func token(_ claims: JSONValue.Object, header: JSONValue.Object = [:]) throws -> String {
    var head: JSONValue.Object = ["alg": .string(algorithm.rawValue), "kid": .string(id), "typ": "JWT"]
    head.merge(header) { $1 }
    return try JSONWebToken.text(header: .object(head), claims: .object(claims), sign: sign)
  }
}

/// An issuer on 127.0.0.1, which lets in whom a test says, and is as strict as real ones.
final class IssuerDouble: Sendable {
  struct Login: Sendable {
    var claims: JSONValue.Object
    var challenge: String
    var redirect: String
    var nonce: String
  }

  private struct State: Sendable {
    var keys: [TestKey]
    var codes: [String: Login] = [:]
    var asked: [String: Int] = [:]
    var metadata: JSONValue.Object = [:]
    var info: JSONValue.Object?
    /// Changes tokens before they are signed.
    var change: @Sendable (inout JSONValue.Object) -> Void = { _ in }
    /// Takes the place of tokens.
    var token: String?
  }

  static let client = "console"
  static let secret = "s3cret/+ of äll"

  private let listener: LoopbackListener
  private let state: Mutex<State>
  /// The clock that tokens are made by; nil for the system's.
  private let time: Time?

  init(_ algorithm: SigningAlgorithm = .es256, time: Time? = nil) throws {
    self.time = time
    listener = try LoopbackListener()
    state = Mutex(State(keys: [try TestKey(algorithm)]))
    let heard = Handle(self)
    listener.serve { connection, _ in
      let head = LoopbackListener.head(connection)
      let lines = head.components(separatedBy: "\r\n")
      let size =
        lines.first { $0.lowercased().hasPrefix("content-length:") }
        .flatMap { Int($0.split(separator: ":")[1].filter { $0 != " " }) } ?? 0
      var body: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 4096)
      while body.count < size {
        let count = read(connection, &piece, piece.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        body += piece.prefix(count)
      }
      let answer = heard.issuer?.answer(lines, String(decoding: body, as: UTF8.self)) ?? ("404 Not Found", "{}")
      let bytes = LoopbackServer.answer(
        answer.0, headers: ["Content-Type: application/json"], body: Array(answer.1.utf8))
      _ = LoopbackListener.send(bytes[...], connection)
    }
  }

  var url: String { listener.url }

  /// The number of requests for a path.
  func asked(_ path: String) -> Int { state.withLock { $0.asked[path] ?? 0 } }

  func use(_ keys: [TestKey]) { state.withLock { $0.keys = keys } }
  func tell(_ metadata: JSONValue.Object) { state.withLock { $0.metadata = metadata } }
  func tell(info: JSONValue.Object) { state.withLock { $0.info = info } }
  func change(_ change: @escaping @Sendable (inout JSONValue.Object) -> Void) { state.withLock { $0.change = change } }
  func hand(token: String?) { state.withLock { $0.token = token } }

  /// The file by which a console knows it.
  func settings(_ folder: TemporaryFolder, _ more: JSONValue.Object = [:]) throws -> String {
    var object: JSONValue.Object = [
      "issuer": .string(url), "client_id": .string(Self.client), "client_secret_file": "secret",
      "roles": ["admins": "admin", "owners": "owner", "devs": "member"],
    ]
    object.merge(more) { $1 }
    try Data((Self.secret + "\n").utf8).write(to: folder.url.appending(path: "secret"))
    let file = folder.url.appending(path: "oidc.json")
    try Data(JSONValue.object(object).line.utf8).write(to: file)
    return file.path
  }

  /// Lets somebody in: the query that their browser brings back.
  func authorize(_ location: String, _ claims: JSONValue.Object) throws -> String {
    let fields = Form(String(location.drop { $0 != "?" }.dropFirst()))
    #expect(location.hasPrefix(url + "/authorize?"))
    #expect(fields["response_type"] == "code" && fields["client_id"] == Self.client)
    #expect(fields["code_challenge_method"] == "S256" && fields["scope"].split(separator: " ").contains("openid"))
    let code = UUID().uuidString
    let login = Login(
      claims: claims, challenge: fields["code_challenge"], redirect: fields["redirect_uri"], nonce: fields["nonce"])
    state.withLock { $0.codes[code] = login }
    return "code=\(code)&state=\(PercentEncoding.encode(fields["state"]))"
  }

  private func answer(_ lines: [String], _ body: String) -> (String, String) {
    let path = lines.first?.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    state.withLock { $0.asked[path, default: 0] += 1 }
    switch path {
    case OpenIDProvider.path:
      var object: JSONValue.Object = [
        "issuer": .string(url), "authorization_endpoint": .string(url + "/authorize"),
        "token_endpoint": .string(url + "/token"), "jwks_uri": .string(url + "/keys"),
        "userinfo_endpoint": .string(url + "/userinfo"), "code_challenge_methods_supported": ["S256"],
      ]
      object.merge(state.withLock { $0.metadata }) { $1 }
      return ("200 OK", JSONValue.object(object).line)
    case "/keys":
      let keys = state.withLock { $0.keys }.map { JSONValue.object($0.published) }
      return ("200 OK", JSONValue.object(["keys": .array(keys)]).line)
    case "/token": return token(lines, body)
    case "/userinfo":
      guard lines.contains("Authorization: Bearer access-1"), let info = state.withLock({ $0.info }) else {
        return ("401 Unauthorized", "{}")
      }
      return ("200 OK", JSONValue.object(info).line)
    default: return ("404 Not Found", "{}")
    }
  }

  private func token(_ lines: [String], _ body: String) -> (String, String) {
    let form = Form(body)
    let pair = "\(Self.client):\(PercentEncoding.encode(Self.secret))"
    let basic = "Authorization: Basic \(Base64.encode(Array(pair.utf8)))"
    let isKnown = lines.contains(basic) || (form["client_id"] == Self.client && form["client_secret"] == Self.secret)
    guard isKnown else { return ("401 Unauthorized", #"{"error":"invalid_client"}"#) }
    let (found, key, change, other) = state.withLock { state in
      (state.codes.removeValue(forKey: form["code"]), state.keys[0], state.change, state.token)
    }
    guard form["grant_type"] == "authorization_code", let login = found, login.redirect == form["redirect_uri"],
      Base64URL.encode(form["code_verifier"].utf8.sha256) == login.challenge
    else { return ("400 Bad Request", #"{"error":"invalid_grant"}"#) }
    let now = Int(time?.now ?? Date().timeIntervalSince1970)
    var claims: JSONValue.Object = [
      "iss": .string(url), "aud": .string(Self.client), "nonce": .string(login.nonce), "iat": JSONValue(now),
      "exp": JSONValue(now + 300), "at_hash": .string(IdentityToken.hash("access-1", key.algorithm)),
    ]
    claims.merge(login.claims) { $1 }
    change(&claims)
    guard let text = try? other ?? key.token(claims) else { return ("500 Internal Server Error", "{}") }
    return ("200 OK", #"{"access_token":"access-1","token_type":"Bearer","id_token":"\#(text)"}"#)
  }

  private final class Handle: @unchecked Sendable {
    weak var issuer: IssuerDouble?
    init(_ issuer: IssuerDouble) { self.issuer = issuer }
  }
}
