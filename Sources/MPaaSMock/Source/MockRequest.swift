/// A request to the mock, whole.
package struct MockRequest: Sendable {
  package var method: String
  /// Path and query as they came: `/pets?limit=1`.
  package var target: String
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  package var scheme: String
  /// The `Host` header without its port, or `:authority`.
  package var host: String
  package var port: Int
  /// The address of the client, in digits.
  package var client: String
  /// `HTTP/1.1` or `HTTP/2.0`.
  package var version: String

  package init(
    _ method: String, _ target: String, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
    scheme: String = "http", host: String = "localhost", port: Int = 80, client: String = "127.0.0.1",
    version: String = "HTTP/1.1"
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.scheme = scheme
    self.host = host
    self.port = port
    self.client = client
    self.version = version
  }

  /// The path as it came, without the query.
  package var path: Substring { target[..<(target.firstIndex(of: "?") ?? target.endIndex)] }

  /// The query as it came; nil where there is no question mark.
  package var query: Substring? {
    target.firstIndex(of: "?").map { target[target.index(after: $0)...] }
  }

  /// The first value of a header, whatever the case of its name.
  package func header(_ name: String) -> String? {
    headers.first { Self.isSame($0.name, name) }?.value
  }

  /// All values of a header.
  package func headerValues(_ name: String) -> [String] {
    headers.compactMap { Self.isSame($0.name, name) ? $0.value : nil }
  }

  package static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count
      && zip(one.utf8, other.utf8).allSatisfy { lowercased($0) == lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte }

  package var absoluteURL: String {
    let usual = scheme == "https" ? 443 : 80
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    return "\(scheme)://\(name)\(port == usual ? "" : ":\(port)")\(target)"
  }
}
