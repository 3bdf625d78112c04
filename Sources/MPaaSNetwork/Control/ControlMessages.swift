package import MPaaSSupport

/// A request to the control API, whole.
package struct ControlRequest: Sendable {
  package var method: String
  /// The path without its query, parts between slashes decoded.
  package var path: [String]
  package var query: [String: String]
  /// By their names in lower case.
  package var headers: [String: String]
  package var body: [UInt8]

  /// - Parameter target: The request target of HTTP: `/proxies/a?b=c`.
  package init(_ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8] = []) {
    self.method = method
    self.headers = headers
    self.body = body
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts[0].split(separator: "/").map { PercentEncoding.decodeLeniently($0.utf8) }
    query = [:]
    for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = sides.count > 1 ? PercentEncoding.decodeLeniently(sides[1].utf8) : ""
      query[PercentEncoding.decodeLeniently(sides[0].utf8)] = value
    }
  }
}

/// The answer of the control API.
package struct ControlAnswer: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// Pieces as they come, until the client goes.
    case stream(AsyncStream<[UInt8]>)
  }

  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: Body

  package init(_ status: Int, headers: [(name: String, value: String)] = [], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A JSON document.
  package static func json(_ value: JSONValue, status: Int = 200) -> ControlAnswer {
    ControlAnswer(
      status, headers: [("Content-Type", "application/json")], body: .bytes(Array((value.line + "\n").utf8)))
  }

  package static func text(_ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200)
    -> ControlAnswer
  {
    ControlAnswer(status, headers: [("Content-Type", type)], body: .bytes(Array(text.utf8)))
  }

  package static var noContent: ControlAnswer { ControlAnswer(204) }
}
