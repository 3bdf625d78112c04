import HTTPTypes
import Hummingbird

/// The sender: an app by its key, as Sentry's SDKs have it, or whoever has a token for it.
struct Sender: Sendable {
  /// The key of the app.
  let app: String
  /// Those whose quotas count what is sent: the app, and the token where there is one.
  let quota: [String]
  private static let authentication = HTTPField.Name("X-Sentry-Auth")

  /// - Parameter key: The key that the body names, which is asked for where the request has none.
  /// - Throws: `Refusal`.
  init(_ request: Request, _ context: ServerContext, _ services: ServerServices, key: String? = nil) async throws {
    try await self.init(request, services, key: key, at: context.address)
    try context.body.hold?.join(app)
  }

  private init(
    _ request: Request, _ services: ServerServices, key: String?, at address: String
  ) async throws {
    if let key = Self.key(of: request) ?? key {
      guard let app = services.access.app(forKey: key) else { throw Refusal(.appKey) }
      try services.takeTurn(key)
      self.app = app.key
      quota = [QuotaMeter.subject(app: app.key)]
      return
    }
    let grant = try await PermissionMiddleware.grant(of: request, .ingest, services, at: address)
    if let app = grant.app {
      self.app = app
    } else {
      app = try await services.access.allApps().first?.key ?? ""
    }
    quota = QuotaMeter.subjects(app: app, caller: grant.id)
  }

  static func key(of request: Request) -> String? {
    SentryAuthentication.key(
      header: authentication.flatMap { request.headers[$0] }, authorization: request.headers[.authorization],
      query: request.uri.query)
  }
}
