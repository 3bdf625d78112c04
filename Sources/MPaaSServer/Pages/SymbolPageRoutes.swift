import Hummingbird
import MPaaSDatabase
import MPaaSSupport
import MPaaSTerminal

/// The page of builds that symbols are missing of.
struct SymbolPageRoutes: ServerRoutes {
  private static let most = 200
  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    let pages = router.group().add(middleware: LoginMiddleware(services))
    pages.get("/symbols") { request, context in
      let app = context.grant?.app
      let entries = try await services.store.read { try MissingImages.list(app: app, limit: Self.most, in: $0) }
      let apps = try await services.access.allApps().filter { app == nil || $0.key == app }
      let names = Dictionary(apps.map { ($0.key, $0.name) }) { $1 }
      return PageRoutes.answer(Self.page(PageFrame(request, services), entries, apps: names))
    }
  }

  /// - Parameter apps: The names of apps by their keys.
  static func page(_ frame: PageFrame, _ entries: [MissingImages.Entry], apps: [String: String]) -> String {
    let rows = entries.map { entry in
      [
        apps.count > 1 ? HTML.escaped(apps[entry.app] ?? "") : nil, HTML.escaped(entry.image),
        "<code>\(HTML.escaped(entry.build))</code>", HTML.escaped(entry.architecture),
        "<span class=n>\(entry.issues)</span>", "<span class=n>\(entry.events)</span>", HTML.time(entry.lastSeen),
      ].compactMap { $0 }
    }
    let head = (apps.count > 1 ? ["app"] : []) + ["image", "build", "architecture", "issues", "events", "last"]
    return frame.page(
      frame.word("symbols"), section: "symbols",
      [
        "<p>\(frame.text("symbols-hint"))</p>",
        rows.isEmpty
          ? frame.empty("no-missing-symbols") : HTML.table(head.map { frame.word("column-\($0)") }, rows),
      ])
  }
}
