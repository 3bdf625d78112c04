import HTTPTypes
import Hummingbird
import MPaaSSupport

/// A client of flags: its permissions, and the environment and projects that it asks for.
///
/// The key of an app or a token opens the routes, bare, behind `Bearer`, or as `X-API-Key`. As Unleash's tokens it may say
/// which flags it is for: `PROJECT:ENVIRONMENT.TOKEN`.
struct FlagClient: Sendable {
  let grant: Grant
  let place: FlagPlace
  let projects: FlagProjects

  /// Bytes of a context.
  static let largestContext: Int64 = 256 << 10
  /// Bytes of the counts of evaluations, which name many flags.
  static let largestCounts: Int64 = 2 << 20
  private static let apiKey = HTTPField.Name("X-API-Key")

  /// - Throws: `Refusal`, `flags-app-unknown`, `flags-environment-unknown`.
  init(_ request: Request, _ context: ServerContext, _ book: FlagBook) async throws {
    let (credential, word) = try Self.credential(of: request)
    grant = try await PermissionMiddleware.grant(
      of: credential, request, [.ingest, .read, .flags], book.services, at: context.address)
    try context.body.hold?.join(grant.id)
    let query = FlagQuery(request)
    place = try book.place(app: grant.app ?? query["app"], environment: query["environment"] ?? word?.environment)
    let names = query.values("project").filter { !$0.isEmpty && $0 != "*" }
    projects = FlagProjects(names: names.isEmpty ? word?.projects ?? [] : Set(names))
  }

  private typealias Word = (projects: Set<String>, environment: String)

  private static func credential(of request: Request) throws -> (Credential, Word?) {
    guard let text = bare(request) else {
      guard let credential = Credential(request) else { throw PermissionMiddleware.missing }
      return (credential, nil)
    }
    guard let colon = text.firstIndex(of: ":"), let dot = text.lastIndex(of: "."), colon < dot else {
      return (Credential(token: text), nil)
    }
    let project = String(text[..<colon])
    let isEverything = project.isEmpty || project == "*" || project == "[]"
    let environment = String(text[text.index(after: colon)..<dot])
    return (Credential(token: String(text[text.index(after: dot)...])), (isEverything ? [] : [project], environment))
  }

  /// The token of a header; nil where it comes in another way.
  private static func bare(_ request: Request) -> String? {
    if let name = apiKey, let key = request.headers[name] { return key }
    guard let text = request.headers[.authorization] else { return nil }
    let words = text.split(separator: " ")
    if words.count == 1, let word = words.first { return String(word) }
    guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
    return String(words[1])
  }
}

/// The query of a request, decoded as forms are.
struct FlagQuery: Sendable {
  let items: [(name: String, value: String)]

  init(_ request: Request) {
    items = (request.uri.query ?? "").split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (Self.plain(parts[0]), parts.count == 2 ? Self.plain(parts[1]) : "")
    }
  }

  private static func plain(_ text: Substring) -> String {
    PercentEncoding.decodeLeniently(text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
  }

  subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  func values(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }
}

/// Answers that clients may have already.
enum FlagAnswer {
  /// The body, or 304 where the client has the same.
  ///
  /// - Parameter etag: Without quotation marks.
  static func fresh(_ body: ByteBuffer, _ etag: String, for request: Request, mayBeKnown: Bool = true) -> Response {
    let headers: HTTPFields = [.eTag: "\"\(etag)\"", .cacheControl: "no-cache"]
    if mayBeKnown, isKnown(etag, request) { return Response(status: .notModified, headers: headers) }
    return json(body, headers: headers)
  }

  static func json(
    _ body: ByteBuffer, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Response {
    var headers = headers
    headers[.contentType] = "application/json"
    headers[.contentLength] = String(body.readableBytes)
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
  }

  static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    json(ByteBuffer(string: text), status: status)
  }

  /// Tells whether the client has what it asks for (RFC 9110, section 13.1.2).
  private static func isKnown(_ etag: String, _ request: Request) -> Bool {
    tags(request).contains { $0 == etag || $0 == "*" }
  }

  /// The entity tags of `If-None-Match`, without quotation marks; some clients send none.
  static func tags(_ request: Request) -> [String] {
    (request.headers[.ifNoneMatch] ?? "").split(separator: ",").map { part in
      let tag = part.filter { $0 != " " && $0 != "\"" }
      return tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    }
  }
}
