import HTTPTypes
package import Hummingbird

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Lets pass whose token permits it: as `Authorization: Bearer TOKEN`, as the password of Basic, or in the cookie
/// `mpaas_token`.
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
    return try await next(request, context)
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
    let grant = try await grant(for: credential.token, services, at: address)
    guard scopes.contains(where: grant.permits) else { throw Refusal(.scope, ["scope": scopes.first?.rawValue ?? ""]) }
    if credential.isSentByBrowsers, Credential.isForeign(request) { throw Refusal(.foreignOrigin) }
    try services.takeTurn(grant.id)
    return grant
  }

  /// The permissions of a token.
  ///
  /// From where many wrong ones came, only those are taken for a time that were known before.
  private static func grant(for token: String, _ services: ServerServices, at address: String) async throws -> Grant {
    if let grant = services.access.knownGrant(for: token) { return grant }
    if let wait = services.wrongTokens.wait(address) { throw Refusal(.rate, after: wait) }
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
      let cookies = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
      let prefix = "mpaas_token="
      let own = cookies.map { $0.drop { $0 == " " } }.first { $0.hasPrefix(prefix) }
      guard let own else { return nil }
      token = String(own.dropFirst(prefix.count))
      isSentByBrowsers = true
    }
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
