import HTTPTypes
import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// The pages by which people come in, go out, and manage their own account.
struct LoginRoutes: ServerRoutes {
  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    router.get("/login") { request, _ in PageRoutes.answer(AccountPages(frame: frame(request)).login(isWrong: false)) }
    router.post("/login") { try await enter($0, $1) }
    router.post("/logout") { try await leave($0, $1) }
    let pages = router.group().add(middleware: LoginMiddleware(services))
    pages.get("/account") { try await account($0, $1) }
    pages.post("/account/password") { try await changePassword($0, $1) }
    pages.post("/account/app") { try await choose($0, $1) }
    pages.post("/account/sessions/:id/end") { try await endSession($0, $1) }
  }

  private func frame(_ request: Request) -> PageFrame { PageFrame(request, services) }

  private var isSecure: Bool { services.address.url.hasPrefix("https") }

  private func cookie(_ name: String, _ value: String, age: Int) -> String {
    "\(name)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(age)\(isSecure ? "; Secure" : "")"
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
      return refused(request)
    }
    services.logins.succeed(context.address)
    let age = Int(min(max(grant.expires - services.now(), 0), 1e9))
    return PageRoutes.redirect("/", [.setCookie: cookie("mpaas_token", token, age: age)])
  }

  private func refused(_ request: Request) -> Response {
    services.counts.refused(ServerError.Code.tokenUnknown.id.name)
    return PageRoutes.answer(AccountPages(frame: frame(request)).login(isWrong: true), status: .forbidden)
  }

  /// Begins a session, whose secret is in a cookie that scripts cannot read.
  private func enter(account form: Form, _ request: Request, _ context: ServerContext) async throws -> Response {
    let (name, now) = (form["account"], services.now())
    let login = try await services.store.read { try PeopleStore.login(name, in: $0) }
    guard await Password.isRight(form.whole("password"), login?.password), let login else {
      let deed = AuditTrail.Deed(actor: "", action: "login.refused", object: name)
      try? await services.store.write { try AuditTrail.add(deed, at: now, in: $0) }
      return refused(request)
    }
    services.logins.succeed(context.address)
    let token = Sessions.prefix + Access.randomBytes(32).hexadecimal
    let agent = request.headers[.userAgent] ?? ""
    let deed = AuditTrail.Deed(actor: name, action: "login", object: name)
    try await services.store.write { database in
      try Sessions.forget(at: now, in: database)
      try Sessions.insert(token, login.id, agent: agent, at: now, in: database)
      try AuditTrail.add(deed, at: now, in: database)
    }
    let cookie = cookie(isSecure ? "__Host-mpaas_session" : "mpaas_session", token, age: Int(Sessions.longest))
    return PageRoutes.redirect("/", [.setCookie: cookie])
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
      headers.append(HTTPField(name: .setCookie, value: cookie(name, "", age: 0)))
    }
    return PageRoutes.redirect("/login", headers)
  }

  // MARK: - The own account

  private func account(
    _ request: Request, _ context: ServerContext, problem: String? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    guard let grant = context.grant else { throw PermissionMiddleware.missing }
    let now = services.now()
    let sessions = try await services.store.read { database in
      try grant.person.map { try Sessions.list($0, at: now, in: database) } ?? []
    }
    let apps = try await services.access.allApps().filter { grant.apps?.contains($0.key) ?? true }
    let page = AccountPages.Account(
      grant: grant, apps: apps, sessions: sessions, current: String(grant.id.dropFirst("session-".utf8.count)),
      problem: problem)
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
    return PageRoutes.redirect("/account", [.setCookie: cookie("mpaas_app", app?.key ?? "", age: age)])
  }

  private func endSession(_ request: Request, _ context: ServerContext) async throws -> Response {
    guard let grant = context.grant, let person = grant.person else { throw PermissionMiddleware.missing }
    try await PeopleChanges(services: services).endSession(
      context.parameters.get("id") ?? "", ofPerson: person, by: grant)
    return PageRoutes.redirect("/account")
  }
}
