import Crypto
import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import Synchronization
import Testing

@testable import MPaaSServer

extension LoginStateTests {
  static func key(_ byte: UInt8) -> SymmetricKey { SymmetricKey(data: [UInt8](repeating: byte, count: 32)) }
}

@Suite("An issuer as the console speaks with it") struct OpenIDClientTests {
  /// An issuer without a network.
  private final class QuietIssuer: Sendable {
    struct State: Sendable {
      var keys: [TestKey] = []
      var isAway = false
      var status = 200
      var metadata: JSONValue.Object = [
        "issuer": "https://id.example.com", "authorization_endpoint": "https://id.example.com/authorize",
        "token_endpoint": "https://id.example.com/token", "jwks_uri": "https://id.example.com/keys",
      ]
      var token = HTTPReply(status: 400, body: Array(#"{"error":"invalid_grant <b>"}"#.utf8))
      var calls: [HTTPCall] = []
    }

    let state = Mutex(State())
    let time = Time(1000)

    func client(_ change: (inout OpenIDSettings) -> Void = { _ in }) throws -> OpenIDClient {
      var settings = OpenIDSettings(issuer: try #require(OpenIDAddress("https://id.example.com")), client: "con:sole")
      change(&settings)
      let http = HTTPClient { [self] call throws(HTTPError) in
        let answer = state.withLock { state -> HTTPReply? in
          state.calls.append(call)
          guard !state.isAway else { return nil }
          switch call.url {
          case "https://id.example.com/.well-known/openid-configuration":
            return HTTPReply(status: state.status, body: Array(JSONValue.object(state.metadata).line.utf8))
          case "https://id.example.com/keys":
            let keys = state.keys.map { JSONValue.object($0.published) }
            return HTTPReply(status: 200, body: Array(JSONValue.object(["keys": .array(keys)]).line.utf8))
          default: return state.token
          }
        }
        guard let answer else { throw HTTPError(.unreachable, url: call.url, reason: "no route") }
        return answer
      }
      return OpenIDClient(settings, client: http, uptime: { [time] in time.now })
    }

    func asked(_ end: String) -> Int { state.withLock { $0.calls.count { $0.url.hasSuffix(end) } } }
  }

  @Test("is asked once by many, and again after an hour; what it said stays good for a day where it is away")
  func endpoints() async throws {
    let double = QuietIssuer()
    let client = try double.client()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { _ = try? await client.endpoints() } }
    }
    #expect(double.asked("openid-configuration") == 1)
    double.time.now += OpenIDClient.freshness
    double.state.withLock { $0.isAway = true }
    for _ in 0..<10 { #expect(try await client.endpoints().token.url == "https://id.example.com/token") }
    #expect(double.asked("openid-configuration") == 2)
    #expect(await client.problem?.code == .openIDAway)
    double.time.now += OpenIDClient.longest
    await #expect(throws: ServerError.self) { try await client.endpoints() }
    double.state.withLock { $0.isAway = false }
    // A question that failed is not asked again at once.
    await #expect(throws: ServerError.self) { try await client.endpoints() }
    double.time.now += OpenIDClient.pause
    _ = try await client.endpoints()
    #expect(await client.problem == nil)
  }

  @Test("is followed to no other place, and not waited for or read for long")
  func bounds() async throws {
    let double = QuietIssuer()
    let client = try double.client()
    double.state.withLock { $0.status = 302 }
    let error = await #expect(throws: ServerError.self) { try await client.endpoints() }
    #expect(error?.code == .openIDAnswer && error?.values["reason"] == "HTTP 302")
    let call = try #require(double.state.withLock { $0.calls.first })
    #expect(call.limits.redirects == 0 && call.limits.total != nil && call.answerLimit <= 256 << 10)
  }

  @Test("is asked for keys anew where one is unknown, though not for each token that names a strange one")
  func rotation() async throws {
    let double = QuietIssuer()
    let client = try double.client()
    let (first, second) = (try TestKey(.edDSA, id: "a"), try TestKey(.edDSA, id: "b"))
    double.state.withLock { $0.keys = [first] }
    #expect(try await client.keys(.edDSA, id: "a").keys.count == 1)
    #expect(try await client.keys(.edDSA, id: "a").keys.count == 1)
    #expect(double.asked("/keys") == 1)
    double.state.withLock { $0.keys = [first, second] }
    // Just asked: the set that there is has to do.
    #expect(try await client.keys(.edDSA, id: "b").keys.count == 1)
    #expect(double.asked("/keys") == 1)
    double.time.now += OpenIDClient.keyPause
    #expect(try await client.keys(.edDSA, id: "b").keys.count == 2)
    for number in 0..<100 { _ = try await client.keys(.rs256, id: "strange \(number)") }
    #expect(double.asked("/keys") == 2)
    double.time.now += OpenIDClient.keyPause
    double.state.withLock { $0.isAway = true }
    #expect(try await client.keys(.edDSA, id: "c").keys.count == 2)
    #expect(double.asked("/keys") == 3)
  }

  @Test("gets the secret by Basic, in the form where it says so, and none where there is none")
  func secret() async throws {
    let login = LoginState(redirect: "https://c.example/login/oidc/callback", at: 0)
    func call(_ secret: String?, _ metadata: JSONValue.Object = [:]) async throws -> HTTPCall {
      let double = QuietIssuer()
      double.state.withLock { $0.metadata.merge(metadata) { $1 } }
      let client = try double.client { $0.secret = secret }
      let error = await #expect(throws: ServerError.self) { try await client.person("c+d&e", login, at: 0) }
      #expect(error?.code == .openIDAnswer && error?.values["reason"] == "invalid_grant b")
      return try #require(double.state.withLock { $0.calls.last })
    }
    func form(_ call: HTTPCall) -> Form {
      guard case .bytes(let bytes)? = call.body?.first else { return Form("") }
      return Form(bytes.text)
    }
    let basic = try await call("a:b/ä")
    let header = basic.headers.first { $0.name == "Authorization" }?.value
    #expect(header == "Basic " + Base64.encode(Array("con%3Asole:a%3Ab%2F%C3%A4".utf8)))
    #expect(form(basic)["code"] == "c+d&e" && form(basic)["code_verifier"] == login.verifier)
    #expect(form(basic)["redirect_uri"] == login.redirect && !form(basic).has("client_secret"))
    let posted = try await call("a:b", ["token_endpoint_auth_methods_supported": ["client_secret_post"]])
    #expect(form(posted)["client_secret"] == "a:b" && form(posted)["client_id"] == "con:sole")
    #expect(!posted.headers.contains { $0.name == "Authorization" })
    let open = try await call(nil)
    #expect(form(open)["client_id"] == "con:sole" && !form(open).has("client_secret"))
    #expect(!open.headers.contains { $0.name == "Authorization" } && open.isSentOnce)
  }
}
