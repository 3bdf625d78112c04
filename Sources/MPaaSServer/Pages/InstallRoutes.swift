import HTTPTypes
import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// The pages that phones install builds from, for whoever has a link: the secret in it is the permission.
struct InstallRoutes: ServerRoutes {
  private static let apkType = "application/vnd.android.package-archive"
  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    router.get(RouterPath(ConsolePaths.install + "/:secret")) { try await page($0, $1) }
    router.get(RouterPath(ConsolePaths.install + "/:secret/:file")) { try await file($0, $1) }
  }

  /// The build that the secret in the path leads to; nil where it leads nowhere, whether it ended or never was.
  private func subject(_ request: Request, _ context: ServerContext) async throws -> InstallPages.Subject? {
    try services.takeTurn("install \(context.address)")
    let (secret, now) = (context.parameters.get("secret") ?? "", services.now())
    guard secret.utf8.count <= 100 else { return nil }
    let hash = InstallSecret.hash(secret)
    guard let found = try await services.store.read({ try BuildStore.build(linked: hash, at: now, in: $0) }) else {
      return nil
    }
    let url = "\(services.address.url(for: request))\(ConsolePaths.install)/\(secret)"
    return InstallPages.Subject(build: found.build, url: url, expires: found.expires, now: now)
  }

  private func page(_ request: Request, _ context: ServerContext) async throws -> Response {
    let pages = InstallPages(frame: PageFrame(request, services))
    guard let subject = try await subject(request, context) else {
      return PageRoutes.answer(pages.unknown(), status: .notFound)
    }
    return PageRoutes.answer(pages.page(subject))
  }

  private func file(_ request: Request, _ context: ServerContext) async throws -> Response {
    guard let subject = try await subject(request, context) else { throw Refusal(.notFound, ["reason": "link"]) }
    let build = subject.build
    switch context.parameters.get("file") {
    case "manifest.plist" where build.kind == "ipa":
      return Response.bytes(
        InstallPages.manifest(subject).utf8, "application/xml", headers: [.cacheControl: "no-store"])
    case "app.\(build.kind)":
      let type = build.kind == "apk" ? Self.apkType : "application/octet-stream"
      return try await services.readings {
        try await BlobAnswer(services: services, blob: build.sha256, filename: build.filename, type: type)
          .response(to: request, context)
      }
    default: throw Refusal(.notFound, ["reason": "file"])
    }
  }
}
