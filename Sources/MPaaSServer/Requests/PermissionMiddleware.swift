import HTTPTypes
package import Hummingbird

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Lets pass whose token permits it: as `Authorization: Bearer TOKEN`, as the password of Basic, or in the cookie
/// `mpaas_token`; a change by an operator has an entry in the audit log.
package struct PermissionMiddleware: RouterMiddleware {
  package typealias Context = ServerContext

  private let scopes: [Scope]
  private let services: ServerServices

  package init(_ scope: Scope, _ services: ServerServices) { self.init([scope], services) }

  /// - Parameter scopes: Any of which permits it.
  init(_ scopes: [Scope], _ services: ServerServices) {
    self.scopes = scopes
    self.services = services
  }

  package func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    guard let credential = Credential(request) else { throw Self.missing }
    let grant = try await Self.grant(of: credential, request, scopes, services, at: context.address)
    context.grant = grant
    try context.body.hold?.join(grant.id)
    let response = try await next(request, context)
    await services.note(request, grant, response.status)
    return response
  }

  /// The answer to who says nothing of themselves.
  static var missing: Refusal { Refusal(.tokenMissing, headers: [.wwwAuthenticate: "Bearer realm=\"mpaas\""]) }

  /// The permissions of a caller.
  ///
  /// - Parameter address: The caller's address.
  /// - Throws: `Refusal` `server-token-missing`, `server-token-unknown`, `server-scope`, `server-foreign-origin`,
  ///   `server-rate`.
  package static func grant(
    of request: Request, _ scope: Scope, _ services: ServerServices, at address: String
  ) async throws -> Grant {
    guard let credential = Credential(request) else { throw missing }
    return try await grant(of: credential, request, [scope], services, at: address)
  }

  /// The permissions of a caller by a token that was found.
  ///
  /// - Parameter scopes: Any of which permits it.
  static func grant(
    of credential: Credential, _ request: Request, _ scopes: [Scope], _ services: ServerServices, at address: String
  ) async throws -> Grant {
    let whole = try await grant(for: credential.token, services, at: address)
    guard let grant = whole.narrowed(to: app(request, of: whole, services)) else {
      throw Refusal(.scope, ["scope": "app"])
    }
    guard scopes.contains(where: grant.permits) else { throw Refusal(.scope, ["scope": scopes.first?.rawValue ?? ""]) }
    if credential.isSentByBrowsers, Credential.isForeign(request) { throw Refusal(.foreignOrigin) }
    try services.takeTurn(grant.id)
    return grant
  }

  /// The app that a request is about, of a caller who may see several; nil leaves it to the caller's usual one.
  private static func app(_ request: Request, of grant: Grant, _ services: ServerServices) -> String? {
    guard !grant.rights.isEmpty else { return nil }
    if let asked = request.uri.queryParameters["app"].map(String.init) {
      return services.access.app(named: asked)?.key ?? asked
    }
    // A choice of pages that is no more is none.
    guard let chosen = Credential.cookie("mpaas_app", request) else { return nil }
    return grant.apps?.contains(chosen) ?? (services.access.app(forKey: chosen) != nil) ? chosen : nil
  }

  /// The permissions of a token.
  ///
  /// From where many wrong ones came, only those are taken for a time that were known before.
  private static func grant(for token: String, _ services: ServerServices, at address: String) async throws -> Grant {
    if let grant = services.access.knownGrant(for: token) { return grant }
    if !services.access.wasKnown(token), let wait = services.wrongTokens.wait(address) {
      throw Refusal(.rate, after: wait)
    }
    if let grant = try await services.access.grant(for: token) { return grant }
    _ = services.wrongTokens.begin(address)
    throw Refusal(.tokenUnknown, headers: [.wwwAuthenticate: "Bearer realm=\"mpaas\", error=\"invalid_token\""])
  }
}

/// The token that a request brings, and how.
package struct Credential: Sendable {
  package let token: String
  /// Tells whether a browser sends it by itself, whatever page made it ask.
  package let isSentByBrowsers: Bool

  /// A token that no browser sends by itself.
  init(token: String) {
    self.token = token
    isSentByBrowsers = false
  }

  package init?(_ request: Request) {
    let words = (request.headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
    switch words.first?.lowercased() {
    case "bearer" where words.count == 2:
      token = String(words[1])
      isSentByBrowsers = false
    case "basic" where words.count == 2:
      guard let data = Data(base64Encoded: String(words[1])) else { return nil }
      let pair = String(decoding: data, as: UTF8.self).split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { return nil }
      token = String(pair[1])
      isSentByBrowsers = true
    default:
      let names = ["__Host-mpaas_session", "mpaas_session", "mpaas_token"]
      guard let own = names.lazy.compactMap({ Self.cookie($0, request) }).first else { return nil }
      token = own
      isSentByBrowsers = true
    }
  }

  /// The value of a cookie; nil where there is none.
  static func cookie(_ name: String, _ request: Request) -> String? {
    let cookies = request.headers[values: .cookie].lazy.flatMap { $0.split(separator: ";") }
    let own = cookies.map { $0.drop { $0 == " " } }.first { $0.hasPrefix(name + "=") }
    return own.map { String($0.dropFirst(name.utf8.count + 1)) }
  }

  /// Tells whether a page of another site made the browser send what changes something.
  static func isForeign(_ request: Request) -> Bool {
    if [.get, .head, .options].contains(request.method) { return false }
    if let site = request.headers[.init("Sec-Fetch-Site") ?? .origin] {
      return !["same-origin", "none"].contains(site)
    }
    guard let origin = request.headers[.origin] else { return false }
    let host = origin.split(separator: "/").last.map(String.init) ?? origin
    return host != request.head.authority
  }
}
