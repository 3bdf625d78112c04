import MPaaSJSON
import MPaaSSupport

/// The admin API, as WireMock's OpenAPI document describes it.
///
/// - Source: https://wiremock.org/docs/standalone/admin-api-reference/.
package struct AdminAPI: Sendable {
  package static let prefix = "/__admin"

  let gateway: MockGateway

  package init(_ gateway: MockGateway) { self.gateway = gateway }

  var library: StubLibrary { gateway.library }
  var journal: RequestJournal { gateway.journal }

  /// Answers a request to `/__admin`.
  package func answer(_ request: MockRequest) -> MockAnswer {
    if let refusal = AdminGuard.refusal(of: request, hosts: gateway.options.hosts) { return refusal }
    let parts = request.path.dropFirst(Self.prefix.count).split(separator: "/").map {
      PercentEncoding.decodeLeniently($0.utf8)
    }
    do throws(StubProblem) {
      return try route(AdminCall(request, parts)) ?? Self.empty(404)
    } catch {
      return Self.json(error.document, status: 422)
    }
  }

  static func json(_ node: JSONNode, status: Int = 200) -> MockAnswer {
    MockAnswer(status, headers: [("Content-Type", "application/json")], body: Array(node.line.utf8))
  }

  static func empty(_ status: Int = 200) -> MockAnswer { MockAnswer(status) }

  private func route(_ call: AdminCall) throws(StubProblem) -> MockAnswer? {
    switch call.parts.first {
    case nil where call.isGet: json(Self.index)
    case "mappings": try mappings(call)
    case "requests": try requests(call)
    case "near-misses": try nearMisses(call)
    case "scenarios": try scenarios(call)
    case "recordings": try recordings(call)
    case "files": files(call)
    default: try system(call)
    }
  }

  private func json(_ node: JSONNode) -> MockAnswer { Self.json(node) }

  private static let index = JSONNode.members([
    (
      "admin",
      .list(
        ["mappings", "requests", "near-misses", "scenarios", "recordings", "files", "settings", "health"].map {
          .text("/__admin/\($0)")
        })
    )
  ])
}

/// A call of the admin API.
struct AdminCall {
  let request: MockRequest
  /// The steps of the path below `/__admin`.
  let parts: [String]

  init(_ request: MockRequest, _ parts: [String]) {
    self.request = request
    self.parts = parts
  }

  var isGet: Bool { request.method == "GET" || request.method == "HEAD" }
  var isPost: Bool { request.method == "POST" }
  var isPut: Bool { request.method == "PUT" }
  var isDelete: Bool { request.method == "DELETE" }
  /// The parts behind the first.
  var rest: [String] { Array(parts.dropFirst()) }

  func query(_ name: String) -> String? { FormText.pairs(request.query ?? "").first { $0.name == name }?.value }

  /// The body as JSON; an empty one is an empty object.
  func body() throws(StubProblem) -> StubReader {
    guard request.body.contains(where: { $0 > 0x20 }) else { return StubReader(.members([])) }
    do throws(JSONSyntaxError) {
      let source = try JSONSource(parsing: request.body, file: "", depth: JSONNode.greatestDepth)
      return StubReader(source.root)
    } catch {
      let place = "line \(error.position.line), column \(error.position.column)"
      throw StubProblem(
        "", "the body is no JSON: \(error.words) at \(place)", at: error.position)
    }
  }
}

/// The guard of the admin API: pages of other sites, in the browser of who runs the mock, must not change it.
package enum AdminGuard {
  /// The refusal of a request; nil where it may pass.
  package static func refusal(of request: MockRequest, hosts: Set<String>?) -> MockAnswer? {
    if let hosts, !isAllowed(request.host, names: hosts) {
      return refused("host not allowed: \(request.host)")
    }
    if let origin = request.header("Origin"), !isSame(origin, request) {
      return refused("origin not allowed: \(origin)")
    }
    if let site = request.header("Sec-Fetch-Site"), site == "cross-site" || site == "same-site" {
      return refused("a page of another site may not call this")
    }
    return nil
  }

  private static func refused(_ reason: String) -> MockAnswer {
    MockAnswer(403, headers: [("Content-Type", "text/plain; charset=utf-8")], body: Array((reason + "\n").utf8))
  }

  private static func isSame(_ origin: String, _ request: MockRequest) -> Bool {
    let own = request.absoluteURL.dropLast(request.target.count)
    return origin.lowercased() == own.lowercased()
  }

  /// Tells whether a name leads here for sure: an address, `localhost`, or one that was allowed.
  ///
  /// A page of another site can make a name of its own lead here, but none of these.
  static func isAllowed(_ host: String, names: Set<String>) -> Bool {
    let host = host.lowercased()
    if host.isEmpty || host == "localhost" || names.contains(host) { return true }
    if host.contains(":") || host.hasPrefix("[") {
      return host.allSatisfy { $0.isHexDigit || ":.[]".contains($0) }
    }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}
