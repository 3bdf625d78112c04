import MPaaSJSON
import MPaaSPact
import MPaaSSupport
import MPaaSTime
import MPaaSTransfer

/// The requests of a verification, over HTTP.
struct PactTransport: Sendable {
  /// The most bytes of an answer's body.
  static let largest = 16 << 20

  private let client: HTTPClient
  private let timeout: Double

  init(_ client: HTTPClient, timeout: Double) {
    self.client = client
    self.timeout = timeout
  }

  /// A provider at an address.
  ///
  /// - Parameters:
  ///   - messages: The address that gives messages; nil for that of the provider.
  ///   - states: The address that changes states; nil for none.
  func provider(_ url: String, messages: String?, states: String?, tearsDown: Bool) -> PactProvider {
    let base = url.hasSuffix("/") ? String(url.dropLast()) : url
    var provider = PactProvider(
      send: { request in await answer(base + Self.target(request), request) },
      message: { node in await answer(messages ?? base + "/", Self.post(node)) })
    if let states {
      provider.change = PactProvider.StateChange(tearsDown: tearsDown) { node in
        await Self.values(answer(states, Self.post(node)))
      }
    }
    return provider
  }

  /// The response to a request, whatever its status; redirections are responses like others.
  func answer(_ url: String, _ request: PactRequest) async -> Result<PactResponse, PactFailure> {
    var call = HTTPCall(
      request.method, url,
      headers: request.headers.flatMap { field in field.values.map { (field.name, $0) } })
    if request.body.isPresent {
      call.body = [.bytes(Bytes(request.body.bytes))]
      // As other verifiers do: of the type that the contract gives the body.
      if request.headers.header("content-type") == nil {
        call.headers.append(("Content-Type", request.body.mediaType(headers: []).description))
      }
    }
    call.limits.total = .milliseconds(Int(timeout * 1000))
    call.limits.connect = .milliseconds(Int(timeout * 1000))
    call.limits.redirects = 0
    call.answerLimit = Self.largest
    call.keepsPath = true
    do throws(HTTPError) {
      let reply = try await client.answer(to: call)
      let headers = reply.headers.sorted { $0.key < $1.key }
        .map { PactField($0.key, reply.repeated[$0.key] ?? [$0.value]) }
      return .success(PactResponse(status: reply.status, headers: headers, body: PactBody(reply.body)))
    } catch { return .failure(PactFailure(error.reason.isEmpty ? "\(error.code)" : error.reason)) }
  }

  /// The path and the query of a request, as they stand in an address.
  private static func target(_ request: PactRequest) -> String {
    let kept = Set("/%!$&'()*+,;=:@".utf8)
    let path = PercentEncoding.encode(request.path.utf8) { PercentEncoding.isUnreserved($0) || kept.contains($0) }
    let query = QueryText.text(request.query)
    return (path.hasPrefix("/") ? path : "/" + path) + (query.isEmpty ? "" : "?" + query)
  }

  private static func post(_ node: JSONNode) -> PactRequest {
    PactRequest(
      method: "POST", headers: [PactField("Content-Type", ["application/json"])], body: PactBody(node.line))
  }

  /// The values that a change of state gives: the members of an object, where one comes.
  private static func values(
    _ result: Result<PactResponse, PactFailure>
  ) -> Result<[JSONNode.Member], PactFailure> {
    result.flatMap { response in
      guard (200...299).contains(response.status) else { return .failure(PactFailure("HTTP \(response.status)")) }
      return .success(PactJSON.body(response.body.bytes)?.members ?? [])
    }
  }
}
