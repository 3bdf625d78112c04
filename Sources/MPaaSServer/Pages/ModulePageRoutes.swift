import HTTPTypes
import Hummingbird
import MPaaSModules
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// The pages of modules: those of an app with a form to choose, and the files to download.
struct ModulePageRoutes: ServerRoutes {
  /// Modules of one page of the form.
  private static let perPage = 20

  private let services: ServerServices
  private let modules: ModuleService

  init(_ services: ServerServices) {
    self.services = services
    modules = ModuleService(services)
  }

  func add(to router: Router<ServerContext>) {
    let pages = router.group().add(middleware: LoginMiddleware(services))
    pages.get("/modules") { try await apps($0, $1) }
    pages.get("/apps/:app/modules") { try await show($0, $1) }
    pages.post("/apps/:app/modules") { try await choose($0, $1) }
    pages.get("/apps/:app/modules/chosen") { try await chosen($0, $1) }
    let downloads = ModuleDownloadRoutes(services)
    pages.get("/apps/:app/modules/mpaas.toml") { try await downloads.manifest($0, $1) }
    pages.get("/apps/:app/modules/mpaas.lock") { try await downloads.lock($0, $1) }
    pages.get("/apps/:app/modules/modules.zip") { try await downloads.archive($0, $1) }
  }

  private func pages(_ request: Request) -> ModulePages { ModulePages(frame: PageFrame(request, services)) }

  /// The apps of the caller; of one its own page.
  private func apps(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = context.grant?.app
    let apps = try await services.access.allApps().filter { app == nil || $0.key == app }
    if let only = apps.first, apps.count == 1 { return PageRoutes.redirect(ModulePages.path(app: only.key)) }
    return PageRoutes.answer(pages(request).apps(apps))
  }

  /// - Parameter draft: A form that was not taken, and why.
  private func show(
    _ request: Request, _ context: ServerContext, _ draft: ModulePages.Draft? = nil
  ) async throws -> Response {
    let app = try services.app(inPathOf: context)
    guard services.modules != nil else { return PageRoutes.answer(pages(request).off(app)) }
    let state = try await modules.state(of: app)
    let parameters = request.uri.queryParameters
    var shown = ModulePages.Shown(app: app, choice: state.choice, mayChange: context.may(.operate))
    shown.problem = state.problem.map { Refusal($0) }
    shown.draft = draft
    shown.text = draft?.text ?? parameters["text"].map(String.init) ?? ""
    shown.after = draft?.after ?? parameters["after"].map(String.init)
    if let catalog = state.catalog {
      shown.gone = state.choice.asked.keys.filter { !catalog.has($0) }.sorted()
      do {
        shown.offer = try await modules.offer(catalog, text: shown.text, after: shown.after, limit: Self.perPage)
      } catch let error as ModuleError {
        shown.problem = Refusal(error)
      }
    }
    return PageRoutes.answer(pages(request).modules(shown), status: draft?.refusal.status ?? .ok)
  }

  /// All modules that an app has chosen, a page at a time.
  private func chosen(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try services.app(inPathOf: context)
    let choice = try await modules.choice(of: app)
    let after = request.uri.queryParameters["after"].map(String.init)
    return PageRoutes.answer(pages(request).chosen(choice.chosen, of: app, after: after))
  }

  private func choose(_ request: Request, _ context: ServerContext) async throws -> Response {
    try context.require(.operate)
    let app = try services.app(inPathOf: context)
    let form = try await Form(request, context, services)
    let old = try await modules.choice(of: app)
    let wish = ModuleWish(form, from: old)
    do {
      _ = try await modules.choose(wish, for: app, context)
    } catch {
      guard let refusal = Refusal(any: error), refusal.status.code != 500 else { throw error }
      services.counts.refused(refusal.error.code.id.name)
      let after = form["after"].isEmpty ? nil : form["after"]
      return try await show(
        request, context, ModulePages.Draft(wish: wish, refusal: refusal, text: form["text"], after: after))
    }
    return PageRoutes.redirect(ModulePages.path(app: app.key))
  }
}

extension ModuleWish {
  /// The wish of a form: modules that it does not show stay as they were chosen.
  fileprivate init(_ form: Form, from choice: ModuleChoice) {
    var modules = choice.asked
    for name in form.all("shown") { modules[name] = nil }
    for name in form.all("use") {
      let options = form.all("with.\(name)")
      let version = form["version.\(name)"]
      modules[name] = AskedModule(
        version: version.isEmpty ? "*" : version, registry: choice.asked[name]?.registry,
        with: options.isEmpty ? nil : options)
    }
    self.init(
      platform: form["platform"], minimum: form["minimum"], modules: modules, update: form["update"] == "1",
      version: Int64(form["version"]))
  }
}
