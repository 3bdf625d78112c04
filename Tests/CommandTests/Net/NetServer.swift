import Foundation
import MPaaSTestSupport
import Testing

/// A `mpaas net serve` of a test's own, and what one asks it over HTTP.
final class NetServer {
  let program: RunningProgram
  let home: TemporaryFolder
  let port: UInt16
  /// The ready line.
  let ready: [String: Any]

  init(_ arguments: String..., home: TemporaryFolder? = nil, api: String = "127.0.0.1:0") throws {
    let folder = try home ?? TemporaryFolder()
    self.home = folder
    program = try RunningProgram(
      Command.mpaas.path, ["net", "serve", "--api", api, "--json"] + arguments,
      environment: ["MPAAS_HOME": folder.path, "LC_ALL": "C", "MPAAS_LANG": ""])
    ready = try json(program.line)
    let url = try #require(ready["api"] as? String)
    port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
  }

  var address: String { "127.0.0.1:\(port)" }

  /// Runs `mpaas net …` against it.
  func command(_ arguments: String..., input: String? = nil) throws -> Command.Outcome {
    try mpaas(["net"] + arguments, home: home, environment: ["MPAAS_NET_API": address], input: input)
  }

  /// Asks, and gives the answer as it came.
  func ask(_ method: String, _ path: String, _ body: String? = nil, headers: [String] = []) throws -> RawAnswer {
    var head = ["\(method) \(path) HTTP/1.1", "Host: \(address)", "Connection: close"] + headers
    if !headers.contains(where: { $0.hasPrefix("User-Agent") }) { head.append("User-Agent: curl/8") }
    if let body { head.append("Content-Length: \(body.utf8.count)") }
    return try RawAnswer.exchange(port, Array((head.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")).utf8))
  }

  /// Creates a proxy on a free port and gives what the server says of it.
  @discardableResult
  func create(_ name: String, listen: String = "localhost:0", upstream: String = "localhost:20001") throws
    -> [String: Any]
  {
    let answer = try ask("POST", "/proxies", #"{"name":"\#(name)","listen":"\#(listen)","upstream":"\#(upstream)"}"#)
    try #require(answer.status == 201, "\(answer.body)")
    return try answer.object()
  }

  func proxies() throws -> [String: [String: Any]] {
    try #require(try ask("GET", "/proxies").object() as? [String: [String: Any]])
  }

  func toxics(_ proxy: String) throws -> [[String: Any]] {
    let body = try ask("GET", "/proxies/\(proxy)/toxics").body
    return try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [[String: Any]])
  }

  /// Tells whether something takes connections at an address that the server told.
  static func isUp(_ address: Any?) -> Bool {
    guard let text = address as? String, let port = text.split(separator: ":").last.flatMap({ UInt16($0) }) else {
      return false
    }
    guard let connection = try? LoopbackClient.connect(port) else { return false }
    close(connection)
    return true
  }
}

extension RawAnswer {
  /// A port that was free a moment ago.
  static func freePort() throws -> UInt16 {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let number = socket(AF_INET, kind, 0)
    defer { close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, length) == 0 && getsockname(number, $0, &length) == 0
      }
    }
    try #require(isBound)
    return UInt16(bigEndian: address.sin_port)
  }
}
