import MPaaSMock
import MPaaSSupport
import MPaaSTransfer

/// Passes requests on to other servers.
struct MockPassing: Sendable {
  // Made when it is needed first, since most mocks pass nothing on.
  private static let client = HTTPClient.live(userAgent: "mpaas")

  /// Headers that are of one connection, and those that the client sets by itself.
  private static let own: Set<String> = [
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer", "transfer-encoding",
    "upgrade", "host", "content-length", "expect", "http2-settings",
  ]

  func answer(_ request: MockRequest, _ proxying: ResponseDefinition.Proxying) async -> MockAnswer {
    var call = HTTPCall(request.method, url(request, proxying), headers: headers(request, proxying))
    call.answerLimit = 16 << 20
    call.keepsPath = true
    if !request.body.isEmpty || request.method == "POST" || request.method == "PUT" {
      call.body = [.bytes(Bytes(request.body))]
    }
    do throws(HTTPError) {
      let reply = try await Self.client.answer(to: call)
      var answer = MockAnswer(reply.status, body: reply.body)
      answer.headers = reply.fields.filter { !Self.own.contains($0.name) }
      return answer
    } catch {
      let reason = "\(proxying.baseURL) cannot be reached: \(error.diagnostic.id.name)\n"
      return MockAnswer(502, headers: [("Content-Type", "text/plain; charset=utf-8")], body: Array(reason.utf8))
    }
  }

  private func url(_ request: MockRequest, _ proxying: ResponseDefinition.Proxying) -> String {
    var base = proxying.baseURL
    while base.hasSuffix("/") { base.removeLast() }
    guard let prefix = proxying.removedPrefix, request.target.hasPrefix(prefix) else { return base + request.target }
    let rest = request.target.dropFirst(prefix.count)
    return base + (rest.hasPrefix("/") || rest.isEmpty ? "" : "/") + rest
  }

  private func headers(
    _ request: MockRequest, _ proxying: ResponseDefinition.Proxying
  ) -> [(name: String, value: String)] {
    let removed = Set(
      proxying.removedHeaders.map { $0.lowercased() } + proxying.addedHeaders.map { $0.name.lowercased() })
    var headers = request.headers.filter {
      !Self.own.contains($0.name.lowercased()) && !removed.contains($0.name.lowercased())
    }
    for header in proxying.addedHeaders { for value in header.values { headers.append((header.name, value)) } }
    return headers
  }
}
