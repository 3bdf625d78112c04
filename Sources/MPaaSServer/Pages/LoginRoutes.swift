import HTTPTypes
import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// The pages by which people come in, go out, and manage their own account.
struct LoginRoutes: ServerRoutes {
  private let services: ServerServices
  /// The login by an issuer, where there is one, or the fault in the file about it, which ends the start.
  private let issuer: Result<OpenIDLogin, ServerError>?

  init(_ services: ServerServices) {
    self.services = services
    issuer = services.configuration.oidc.map { file -> Result<OpenIDLogin, ServerError> in
      do throws(ServerError) {
        let settings = try OpenIDSettings(file, environment: services.environment)
        return .success(OpenIDLogin(services, OpenIDClient(settings, uptime: services.uptime)))
      } catch {
        return .failure(error)
      }
    }
  }

  func begin() async throws { try await issuer?.get().begin() }

  func work() { try? issuer?.get().work() }

  func end() async { try? issuer?.get().end() }

  func add(to router: Router<ServerContext>) {
    if let issuer = try? issuer?.get() { issuer.add(to: router) }
    router.get("/login") { request, _ in
      PageRoutes.answer(AccountPages(frame: frame(request)).login(issuer: await issuerEntry))
    }
    router.post("/login") { try await enter($0, $1) }
    router.post("/logout") { try await leave($0, $1) }
    let pages = router.group().add(middleware: LoginMiddleware(services))
    pages.get("/account") { try await account($0, $1) }
    pages.post("/account/password") { try await changePassword($0, $1) }
    pages.post("/account/app") { try await choose($0, $1) }
    pages.post("/account/sessions/:id/end") { try await endSession($0, $1) }
  }

  private func frame(_ request: Request) -> PageFrame { PageFrame(request, services) }

  private var cookies: LoginCookies { LoginCookies(services) }

  private var issuerEntry: AccountPages.Issuer? {
    get async { await (try? issuer?.get())?.entry }
  }

  /// Lets in whose account and password, or token, permit reading.
  private func enter(_ request: Request, _ context: ServerContext) async throws -> Response {
    // The page of another site could otherwise make somebody work in its owner's name.
    if Credential.isForeign(request) { throw Refusal(.foreignOrigin) }
    if let wait = services.logins.begin(context.address) {
      throw Refusal(.rate, after: wait)
    }
    let form = try await Form(request, context, services)
    if form.has("account") || form.has("password") { return try await enter(account: form, request, context) }
    let token = form["token"].filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    guard let grant = try await services.access.grant(for: token)?.narrowed(to: nil), grant.permits(.read) else {
      return await refused(request)
    }
    services.logins.succeed(context.address)
    let age = Int(min(max(grant.expires - services.now(), 0), 1e9))
    return PageRoutes.redirect("/", [.setCookie: cookies.text("mpaas_token", token, age: age)])
  }

  private func refused(_ request: Request) async -> Response {
    services.counts.refused(ServerError.Code.tokenUnknown.id.name)
    let frame = frame(request)
    let page = AccountPages(frame: frame).login(problem: frame.word("login-wrong"), issuer: await issuerEntry)
    return PageRoutes.answer(page, status: .forbidden)
  }

  /// Begins a session, whose secret is in a cookie that scripts cannot read.
  private func enter(account form: Form, _ request: Request, _ context: ServerContext) async throws -> Response {
    let (name, now) = (form["account"], services.now())
    let login = try await services.store.read { try PeopleStore.login(name, in: $0) }
    guard await Password.isRight(form.whole("password"), login?.password), let login else {
      let deed = AuditTrail.Deed(actor: "", action: "login.refused", object: name)
      try? await services.store.write { try AuditTrail.add(deed, at: now, in: $0) }
      return await refused(request)
    }
    services.logins.succeed(context.address)
    let token = Sessions.fresh()
    let agent = request.headers[.userAgent] ?? ""
    let deed = AuditTrail.Deed(actor: name, action: "login", object: name)
    try await services.store.write { database in
      try Sessions.forget(at: now, in: database)
      try Sessions.insert(token, login.id, agent: agent, at: now, in: database)
      try AuditTrail.add(deed, at: now, in: database)
    }
    return PageRoutes.redirect("/", [.setCookie: cookies.session(token)])
  }

  private func leave(_ request: Request, _ context: ServerContext) async throws -> Response {
    if Credential.isForeign(request) { throw Refusal(.foreignOrigin) }
    if let credential = Credential(request), credential.token.hasPrefix(Sessions.prefix),
      let grant = try await services.access.grant(for: credential.token)
    {
      try? await PeopleChanges(services: services).endSession(
        String(grant.id.dropFirst("session-".utf8.count)), ofPerson: grant.person, by: grant)
    }
    var headers = HTTPFields()
    for name in ["__Host-mpaas_session", "mpaas_session", "mpaas_token", "mpaas_app"] {
      headers.append(HTTPField(name: .setCookie, value: cookies.text(name, "", age: 0)))
    }
    return PageRoutes.redirect("/login", headers)
  }

  // MARK: - The own account

  private func account(
    _ request: Request, _ context: ServerContext, problem: String? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    guard let grant = context.grant else { throw PermissionMiddleware.missing }
    let now = services.now()
    let (sessions, person) = try await services.store.read { database -> ([SessionEntry], PersonEntry?) in
      guard let id = grant.person else { return ([], nil) }
      return (try Sessions.list(id, at: now, in: database), try PeopleStore.person(id, in: database))
    }
    let apps = try await services.access.allApps().filter { grant.apps?.contains($0.key) ?? true }
    let page = AccountPages.Account(
      grant: grant, apps: apps, sessions: sessions, current: String(grant.id.dropFirst("session-".utf8.count)),
      isExternal: person?.subject != nil, problem: problem)
    return PageRoutes.answer(AccountPages(frame: frame(request)).account(page), status: status)
  }

  private func changePassword(_ request: Request, _ context: ServerContext) async throws -> Response {
    guard let grant = context.grant else { throw PermissionMiddleware.missing }
    // The old password could be guessed here, too.
    if let wait = services.logins.begin(context.address) { throw Refusal(.rate, after: wait) }
    let form = try await Form(request, context, services)
    do {
      try await PeopleChanges(services: services).changeOwnPassword(
        from: form.whole("old"), to: form.whole("new"), by: grant)
    } catch {
      guard let refusal = Refusal(any: error), refusal.status.code < 500 else { throw error }
      services.counts.refused(refusal.error.code.id.name)
      let frame = frame(request)
      let problem =
        refusal.error.code == .tokenUnknown
        ? frame.word("password-wrong") : frame.catalogue.sentence(refusal.error.code.id.name, refusal.error.values)
      return try await account(request, context, problem: problem, status: refusal.status)
    }
    services.logins.succeed(context.address)
    return PageRoutes.redirect("/login")
  }

  /// Keeps the app that pages are about, of one who may see several.
  private func choose(_ request: Request, _ context: ServerContext) async throws -> Response {
    let word = try await Form(request, context, services)["app"]
    let app = services.access.app(forKey: word)
    let age = app == nil ? 0 : Int(Sessions.longest)
    return PageRoutes.redirect("/account", [.setCookie: cookies.text("mpaas_app", app?.key ?? "", age: age)])
  }

  private func endSession(_ request: Request, _ context: ServerContext) async throws -> Response {
    guard let grant = context.grant, let person = grant.person else { throw PermissionMiddleware.missing }
    try await PeopleChanges(services: services).endSession(
      context.parameters.get("id") ?? "", ofPerson: person, by: grant)
    return PageRoutes.redirect("/account")
  }
}
