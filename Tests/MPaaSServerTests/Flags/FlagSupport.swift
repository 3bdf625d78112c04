import Foundation
import MPaaSProtocol
import MPaaSSupport
import Testing

@testable import MPaaSServer

extension TestServer {
  /// The part of the server that flags are.
  var flags: FlagRoutes? { run.routes.compactMap { $0 as? FlagRoutes }.first }

  /// Asks for a change of flags by events.
  func changeFlags(
    _ events: String, _ comment: String = "", base: Int? = nil, token: String? = nil, query: String = ""
  ) async throws -> TestAnswer {
    let change = FlagChangeRequest(.events(events), comment: comment, base: base)
    return try await flags("POST", FlagPaths.changes + query, change.json, token: token)
  }

  func flags(
    _ method: String, _ path: String, _ body: String? = nil, token: String? = nil, _ headers: [String: String] = [:]
  ) async throws -> TestAnswer {
    var headers = headers
    if let token { headers["Authorization"] = "Bearer \(token)" }
    return try await send(method, path, headers, body: body.map { Array($0.utf8) })
  }

  /// A token of another person, who may change flags.
  func token(_ name: String, _ scopes: Set<MPaaSServer.Scope> = [.flags, .read]) async throws -> String {
    try await services.access.issue(name, scopes, lifetime: 1000).token
  }

  /// A flag that is on for some, with a rule, and one that is off.
  static let twoFlags = """
    [{"type": "hydration", "features": [
      {"name": "search", "enabled": true, "project": "shop", "owner": "ana", "strategies": [{"name": "flexibleRollout",
       "parameters": {"rollout": "100", "stickiness": "default", "groupId": "search"},
       "constraints": [{"contextName": "city", "operator": "IN", "values": ["杭州", "secret-town"]}]}],
       "variants": [{"name": "blue", "weight": 1, "payload": {"type": "string", "value": "#00f"}}]},
      {"name": "old", "enabled": false}], "segments": [{"id": 4, "name": "beta", "constraints": []}]}]
    """

  /// A flag that is on or off for all.
  static func flag(_ name: String, _ isEnabled: Bool = true, type: String = "release") -> String {
    #"[{"type":"feature-updated","feature":{"name":"\#(name)","enabled":\#(isEnabled),"type":"\#(type)"}}]"#
  }
}

extension TestAnswer {
  var code: String? { json["code"] as? String }
  var version: Int? { json["version"] as? Int }

  func value<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(body))
  }
}

/// A connection that reads server-sent events.
struct EventConnection {
  let connection: TestConnection
  private var text = ""

  /// Opens a stream; its head has come when this returns.
  init(_ server: TestServer, _ path: String, _ headers: [String: String] = [:]) async throws {
    connection = try TestConnection(server.port)
    var headers = headers
    headers["Authorization"] = headers["Authorization"] ?? "Bearer \(server.token)"
    let lines = ["GET \(path) HTTP/1.1", "Host: 127.0.0.1"] + headers.map { "\($0.key): \($0.value)" }
    try await connection.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    _ = try await read(to: "\r\n\r\n")
  }

  /// The text up to a mark, which is behind it.
  private mutating func read(to mark: String) async throws -> String {
    while true {
      if let end = text.range(of: mark) {
        let found = String(text[..<end.lowerBound])
        text = String(text[end.upperBound...])
        return found
      }
      let more = try await connection.bytes()
      try #require(!more.isEmpty, "the stream has ended")
      text += String(decoding: more, as: UTF8.self)
    }
  }

  /// The lines of the next event of a kind.
  mutating func event(_ kind: String) async throws -> (id: Int?, data: String) {
    while true {
      // Pieces of the stream are chunks; their sizes stand on lines of their own.
      let lines = try await read(to: "\n\n").split(whereSeparator: \.isNewline).map(String.init)
      guard lines.contains("event: \(kind)") else { continue }
      let id = lines.first { $0.hasPrefix("id: ") }.flatMap { Int($0.dropFirst(4)) }
      return (id, lines.first { $0.hasPrefix("data: ") }.map { String($0.dropFirst(6)) } ?? "")
    }
  }
}

extension TestConnection {
  /// The next bytes; none at the end.
  func bytes() async throws -> [UInt8] {
    let descriptor = descriptor
    return try await Self.elsewhere {
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(descriptor, &piece, piece.count)
        if count < 0, errno == EINTR { continue }
        return Array(piece.prefix(max(count, 0)))
      }
    }
  }
}
