package import MPaaSSupport

/// Asks a server of the control API, ours or toxiproxy's.
package struct ControlClient: Sendable {
  package static let usualAddress = "127.0.0.1:8474"

  /// `host:port`.
  package let address: String
  private let target: ControlAddress

  /// - Parameter text: `host:port`, with `http://` before it or not.
  package init(_ text: String) throws(NetworkError) {
    var text = text[...]
    if text.hasPrefix("http://") { text = text.dropFirst("http://".count) }
    while text.hasSuffix("/") { text = text.dropLast() }
    address = String(text)
    target = try ControlAddress(address)
  }

  /// The answer to a request.
  ///
  /// - Throws: What the server refused, by the word it has for it; `net-api-unreachable`, `net-api-timed-out`,
  ///   `net-api-foreign`.
  @discardableResult
  package func ask(
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
  package func text(_ path: [String]) async throws(NetworkError) -> String {
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
    // Where the word is not known here, its sentence is.
    values["error"] = message
    return NetworkError(NetworkError.Code(DiagnosticID(code), exit: ExitStatus(rawValue: exit)), values)
  }

  private func exchange(
    _ method: String, _ path: [String], _ query: [(String, String)], _ body: JSONValue?, _ limit: Duration
  ) async throws(NetworkError) -> (Int, [UInt8]) {
    var uri = "/" + path.map(PercentText.encoded).joined(separator: "/")
    if !query.isEmpty {
      uri += "?" + query.map { "\(PercentText.encoded($0.0))=\(PercentText.encoded($0.1))" }.joined(separator: "&")
    }
    let bytes = body.map { Array($0.line.utf8) } ?? []
    var head = "\(method) \(uri) HTTP/1.1\r\nHost: \(address)\r\nUser-Agent: mpaas\r\nAccept: application/json\r\n"
    if body != nil { head += "Content-Type: application/json\r\n" }
    if method != "GET" { head += "Content-Length: \(bytes.count)\r\n" }
    let request = Array((head + "Connection: close\r\n\r\n").utf8) + bytes
    let exchange = ControlExchange(target, within: limit)
    let outcome = await withCheckedContinuation { continuation in
      DetachedThread.run { continuation.resume(returning: exchange.outcome(of: request)) }
    }
    switch outcome {
    case .success(let answer): return (answer.status, answer.body)
    case .failure(.timedOut): throw NetworkError(.apiTimedOut, ["address": address])
    case .failure(.foreign(let reason)): throw NetworkError(.apiForeign, ["address": address, "status": reason])
    case .failure(.unreachable(let reason)):
      throw NetworkError(.apiUnreachable, ["address": address, "reason": reason])
    }
  }
}
