import HTTPTypes
import Hummingbird
import MPaaSModules
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// Modules for callers with tokens: those that registries offer, those that an app has chosen, and what to download.
struct ModuleRoutes: ServerRoutes {
  private let services: ServerServices
  private let modules: ModuleService

  init(_ services: ServerServices) {
    self.services = services
    modules = ModuleService(services)
  }

  func add(to router: Router<ServerContext>) {
    let own = ConsolePaths.apps + "/:app/modules"
    let readers = router.group().add(middleware: PermissionMiddleware(.read, services))
    readers.get(RouterPath(ConsolePaths.modules)) { request, _ in try await offer(request) }
    readers.get(RouterPath(own)) { _, context in
      let app = try services.app(inPathOf: context)
      return Response.json(entry(try await modules.state(of: app), of: app))
    }
    let downloads = ModuleDownloadRoutes(services)
    readers.get(RouterPath(own + "/manifest")) { try await downloads.manifest($0, $1) }
    readers.get(RouterPath(own + "/lock")) { try await downloads.lock($0, $1) }
    readers.get(RouterPath(own + "/archive")) { try await downloads.archive($0, $1) }
    let writers = router.group().add(middleware: PermissionMiddleware(.operate, services))
    writers.put(RouterPath(own)) { request, context in
      let app = try services.app(inPathOf: context)
      let wish: ModuleWish = try await Wire.read(request, context, services, limit: Wire.few)
      let choice = try await modules.choose(wish, for: app, context)
      return Response.json(entry(ModuleService.State(choice: choice), of: app))
    }
  }

  private func offer(_ request: Request) async throws -> Response {
    let parameters = request.uri.queryParameters
    let limit = min(max(parameters["limit"].flatMap { Int($0) } ?? 100, 1), 1000)
    let (text, after) = (parameters["text"].map(String.init) ?? "", parameters["after"].map(String.init))
    return Response.json(
      try await modules.offer(try await modules.registries.catalog(), text: text, after: after, limit: limit))
  }

  private func entry(_ state: ModuleService.State, of app: Access.App) -> ModuleChoiceEntry {
    let choice = state.choice
    return ModuleChoiceEntry(
      app: app.key, version: choice.version, author: choice.author, changed: choice.changed,
      platform: choice.manifest.platform?.rawValue, minimum: choice.manifest.minimum?.text, modules: choice.asked,
      chosen: choice.chosen,
      problem: state.problem.map { Refusal($0).told(in: services.catalogue) })
  }
}

/// The downloads of an app's modules, for routes and pages alike.
struct ModuleDownloadRoutes: Sendable {
  /// The name of the archive.
  static let archiveName = "modules.zip"

  private let services: ServerServices
  private let modules: ModuleService

  init(_ services: ServerServices) {
    self.services = services
    modules = ModuleService(services)
  }

  func manifest(_ request: Request, _ context: ServerContext) async throws -> Response {
    Self.text(try await modules.manifest(of: try services.app(inPathOf: context)), ProjectManifest.fileName)
  }

  func lock(_ request: Request, _ context: ServerContext) async throws -> Response {
    Self.text(try await modules.lock(of: try services.app(inPathOf: context)), ProjectLock.fileName)
  }

  private static func text(_ text: String, _ filename: String) -> Response {
    Response.bytes(
      Array(text.utf8), "application/toml",
      headers: [.contentDisposition: "attachment; filename=\"\(filename)\"", .cacheControl: "no-store"])
  }

  func archive(_ request: Request, _ context: ServerContext) async throws -> Response {
    let packed = try await modules.archive(of: try services.app(inPathOf: context))
    // Open from here on: one that takes its place does not take these bytes away.
    let file = try await services.disk { try BlobStream(packed.path) }
    let answer = RangeAnswer(tag: packed.tag, size: packed.size, filename: Self.archiveName, type: "application/zip")
    return try await answer.response(to: request) { range in
      file.body(range, services.disk, services.readings, to: context.channel)
    }
  }
}
