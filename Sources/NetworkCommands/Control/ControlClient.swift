import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTransfer

/// Asks a server of the control API, ours or toxiproxy's.
struct ControlClient: Sendable {
  static let usualAddress = "127.0.0.1:8474"

  /// `host:port`.
  let address: String
  /// The beginning of every URL.
  private let origin: String
  private let client: HTTPClient

  /// The most bytes of an answer: a journal of a long run has some MB.
  private static let answerLimit = 64 << 20

  /// - Parameters:
  ///   - text: `host:port`, with `http://` before it or not.
  ///   - client: Reaches the server; by itself without any proxy, since the server is near.
  /// - Throws: `net-api-address`.
  init(_ text: String, client: HTTPClient = .withoutProxy) throws(NetworkError) {
    var text = text[...]
    if text.hasPrefix("http://") { text = text.dropFirst("http://".count) }
    while text.hasSuffix("/") { text = text.dropLast() }
    address = String(text)
    let target = try ControlAddress(address)
    // All addresses of this machine, and its own name, as the server understands them.
    let host = ["": "::", "localhost": "127.0.0.1"][target.host.lowercased()] ?? target.host
    origin = "http://\(host.contains(":") ? "[\(host)]" : host):\(target.port)"
    self.client = client
  }

  /// The answer to a request.
  ///
  /// - Throws: What the server refused, by the word it has for it; `net-api-unreachable`, `net-api-timed-out`,
  ///   `net-api-foreign`.
  @discardableResult
  func ask(
    _ method: String = "GET", _ path: [String], query: [(String, String)] = [], _ body: JSONValue? = nil,
    within limit: Duration = .seconds(30)
  ) async throws(NetworkError) -> JSONValue {
    let (status, bytes) = try await exchange(method, path, query, body, limit)
    if status == 204 { return .null }
    let value = bytes.withUnsafeBytes { try? JSONValue(reading: $0) }
    guard (200..<300).contains(status), let value else {
      throw refusal(status, value?.object ?? [:])
    }
    return value
  }

  /// The text of an answer, such as that of `/metrics`.
  func text(_ path: [String]) async throws(NetworkError) -> String {
    let (status, bytes) = try await exchange("GET", path, [], nil, .seconds(30))
    guard status == 200 else { throw refusal(status, [:]) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func refusal(_ status: Int, _ object: JSONValue.Object) -> NetworkError {
    guard let message = object["error"]?.string else {
      return NetworkError(.apiForeign, ["address": address, "status": "\(status)"])
    }
    guard let code = object["code"]?.string, code.hasPrefix("net-"), let exit = object["exit"]?.integer(Int32.self)
    else { return NetworkError(.apiRefused, ["error": message, "status": "\(status)"]) }
    var values = (object["values"]?.object ?? [:]).compactMapValues(\.string)
    // A code that is not known here still has its sentence.
    values["error"] = message
    return NetworkError(NetworkError.Code(DiagnosticID(code), exit: ExitStatus(rawValue: exit)), values)
  }

  private func exchange(
    _ method: String, _ path: [String], _ query: [(String, String)], _ body: JSONValue?, _ limit: Duration
  ) async throws(NetworkError) -> (Int, [UInt8]) {
    var uri = "/" + path.map { PercentEncoding.encode($0) }.joined(separator: "/")
    if !query.isEmpty {
      let pairs = query.map { "\(PercentEncoding.encode($0.0))=\(PercentEncoding.encode($0.1))" }
      uri += "?" + pairs.joined(separator: "&")
    }
    var call = HTTPCall(method, origin + uri, headers: [("Accept", "application/json")])
    if let body {
      call.headers.append(("Content-Type", "application/json"))
      call.body = [.bytes(Bytes(Array(body.line.utf8)))]
    } else if method != "GET" {
      call.body = []
    }
    call.answerLimit = Self.answerLimit
    // Names of proxies stand in it, which may be dots.
    call.keepsPath = true
    call.limits.connect = .seconds(5)
    call.limits.stall = nil
    call.limits.total = TimeSpan(limit)
    call.limits.redirects = 0
    let start = ContinuousClock.now
    do throws(HTTPError) {
      let reply = try await client.answer(to: call)
      return (reply.status, reply.body)
    } catch {
      // Before the time of the answer is over, it is the connection that was not made in its own time.
      if error.code == .timedOut, start.duration(to: .now) < limit {
        throw NetworkError(.apiUnreachable, ["address": address, "reason": error.reason])
      }
      throw failure(error)
    }
  }

  private func failure(_ error: HTTPError) -> NetworkError {
    switch error.code {
    case .timedOut: NetworkError(.apiTimedOut, ["address": address])
    case .noLibrary, .unreachable, .cancelled:
      NetworkError(.apiUnreachable, ["address": address, "reason": error.reason])
    default: NetworkError(.apiForeign, ["address": address, "status": error.reason])
    }
  }
}

extension HTTPClient {
  /// libcurl, straight to the server, whatever the environment names as a proxy.
  fileprivate static var withoutProxy: HTTPClient {
    var settings = HTTPSettings()
    settings.proxy = ""
    return .live(userAgent: "mpaas", settings: settings)
  }
}
