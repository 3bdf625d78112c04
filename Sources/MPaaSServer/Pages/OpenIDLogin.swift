import Crypto
import HTTPTypes
import Hummingbird
import MPaaSDatabase
import MPaaSDigests
import MPaaSSupport
import MPaaSTerminal
import Synchronization

/// The login by an issuer: to it with a link, and back from it with a code.
final class OpenIDLogin: Sendable {
  private let services: ServerServices
  private let client: OpenIDClient
  /// The key that logins under way are sealed with; known from `begin` on.
  private let key = Mutex(SymmetricKey(size: .bits256))
  private let asking = Mutex<Task<Void, Never>?>(nil)

  private static let start = "/login/oidc"
  private static let back = "/login/oidc/callback"
  private static let cookie = "mpaas_oidc"
  /// Bytes of what an issuer sends back by the browser.
  private static let longestAnswer = 8192
  /// The time between two questions to an issuer that is away at the start.
  private static let pause = Duration.seconds(30)

  init(_ services: ServerServices, _ client: OpenIDClient) { (self.services, self.client) = (services, client) }

  func add(to router: Router<ServerContext>) {
    router.get(RouterPath(Self.start)) { try await self.lead($0, $1) }
    router.get(RouterPath(Self.back)) { try await self.enter($0, $1) }
  }

  func begin() async throws {
    let stored = try await LoginState.key(of: services.store)
    key.withLock { $0 = stored }
  }

  /// Asks the issuer what it is, so that the first login need not; the console does without it meanwhile.
  func work() {
    let task = Task { [client] in
      while !Task.isCancelled {
        if (try? await client.endpoints()) != nil { return }
        try? await Task.sleep(for: Self.pause)
      }
    }
    asking.withLock { $0 = task }
  }

  /// Asks no more; a question that is under way ends by itself, and is not waited for.
  func end() { asking.withLock { $0 }?.cancel() }

  /// The link on the page of logins.
  var entry: AccountPages.Issuer {
    get async { AccountPages.Issuer(name: client.settings.name, isAway: await client.problem != nil) }
  }

  private var cookies: LoginCookies { LoginCookies(services) }

  // MARK: - To the issuer

  private func lead(_ request: Request, _ context: ServerContext) async throws -> Response {
    // A page of another site logs no person in: who comes from there clicks first.
    if let name = HTTPField.Name("Sec-Fetch-Site"), request.headers[name] == "cross-site" {
      return PageRoutes.redirect("/login")
    }
    if let wait = services.logins.wait(context.address) { throw Refusal(.rate, after: wait) }
    let login = LoginState(redirect: services.address.url(for: request) + Self.back, at: services.now())
    let address: String
    do throws(ServerError) {
      address = try await client.address(of: login)
    } catch {
      return await refused(Refusal(error), request)
    }
    guard let sealed = key.withLock({ login.sealed($0) }) else { throw Refusal(.fault, ["reason": "AES-GCM"]) }
    // The issuer's answer comes from another site, where a cookie that is strict is not sent.
    let cookie = cookies.text(
      cookies.hostName(Self.cookie), sealed, age: Int(LoginState.lifetime), site: "Lax")
    return PageRoutes.redirect(address, [.setCookie: cookie, .cacheControl: "no-store"])
  }

  // MARK: - Back from the issuer

  private func enter(_ request: Request, _ context: ServerContext) async throws -> Response {
    if let wait = services.logins.begin(context.address) { throw Refusal(.rate, after: wait) }
    do {
      let login = try await login(of: request)
      let fields = Form(request.uri.query ?? "")
      if fields.has("error") { throw Refusal(.openIDDenied, ["reason": OpenIDClient.word(fields["error"])]) }
      guard !fields["code"].isEmpty else { throw Refusal(.openIDState) }
      let now = services.now()
      let person: OpenIDPerson
      do throws(ServerError) {
        person = try await client.person(fields.whole("code"), login, at: now)
      } catch {
        await note(error, at: now)
        throw error
      }
      return try await enter(person, request, context, at: now)
    } catch {
      guard let refusal = Refusal(any: error), refusal.error.code != .fault else { throw error }
      return await refused(refusal, request)
    }
  }

  /// The login that an answer belongs to, of this browser, which is over from now on.
  ///
  /// - Throws: `oidc-state`.
  private func login(of request: Request) async throws -> LoginState {
    let query = request.uri.query ?? ""
    let fields = Form(query)
    let now = services.now()
    guard query.utf8.count <= Self.longestAnswer,
      let sealed = Credential.cookie(cookies.hostName(Self.cookie), request),
      let login = key.withLock({ LoginState(sealed, $0, at: now) }),
      Array(fields.whole("state").utf8).isEqualInConstantTime(to: Array(login.state.utf8))
    else { throw Refusal(.openIDState) }
    // Another issuer may not answer in its place (RFC 9207).
    if fields.has("iss") {
      let issuer = client.settings.issuer.url
      guard fields.whole("iss").utf8.elementsEqual(issuer.utf8) else { throw Refusal(.openIDState) }
    } else if try await client.endpoints().namesItself {
      throw Refusal(.openIDState)
    }
    guard try await services.store.write({ try login.spend(at: now, in: $0) }) else { throw Refusal(.openIDState) }
    return login
  }

  private func enter(
    _ person: OpenIDPerson, _ request: Request, _ context: ServerContext, at now: Double
  ) async throws -> Response {
    let (token, agent) = (Sessions.fresh(), request.headers[.userAgent] ?? "")
    let accounts = OpenIDAccounts(person: person, now: now)
    let outcome = try await services.store.write { try accounts.enter(token, agent: agent, in: $0) }
    // Roles may be others from now on.
    services.access.forget { $0.person != nil }
    guard case .entered(let name) = outcome else {
      if case .refused(let error) = outcome { throw error }
      throw Refusal(.openIDRole)
    }
    services.logins.succeed(context.address)
    var response = PageRoutes.answer(AccountPages(frame: PageFrame(request, services)).entered(name))
    // Not a redirection: within one that another site began, browsers do not send a cookie that is strict.
    if let name = HTTPField.Name("Refresh") { response.headers[name] = "0; url=/" }
    response.headers.append(HTTPField(name: .setCookie, value: gone))
    response.headers.append(HTTPField(name: .setCookie, value: cookies.session(token)))
    return response
  }

  private var gone: String { cookies.text(cookies.hostName(Self.cookie), "", age: 0, site: "Lax") }

  /// Keeps in the audit log that somebody came back whom the issuer's word did not let in.
  private func note(_ error: ServerError, at now: Double) async {
    guard [.openIDToken, .openIDDomain].contains(error.code) else { return }
    let detail = error.values["reason"] ?? error.code.id.name
    let deed = AuditTrail.Deed(actor: "", action: "login.refused", object: "oidc", detail: detail)
    try? await services.store.write { try AuditTrail.add(deed, at: now, in: $0) }
  }

  /// The page of logins with the reason why this one was none.
  private func refused(_ refusal: Refusal, _ request: Request) async -> Response {
    services.counts.refused(refusal.error.code.id.name)
    let frame = PageFrame(request, services)
    let problem = frame.catalogue.sentence(refusal.error.code.id.name, refusal.error.values)
    let page = AccountPages(frame: frame).login(problem: problem, issuer: await entry)
    var response = PageRoutes.answer(page, status: refusal.status)
    response.headers.append(HTTPField(name: .setCookie, value: gone))
    if let wait = refusal.headers[.retryAfter] { response.headers[.retryAfter] = wait }
    return response
  }
}
