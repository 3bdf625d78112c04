import HTTPTypes
import MPaaSTestSupport
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import MPaaSServer

@Suite("Whether the server lives") struct LivenessTests {
  private static func request(_ line: String, _ fields: String...) -> [UInt8] {
    Array(([line, "Host: 127.0.0.1"] + fields).joined(separator: "\r\n").utf8) + Array("\r\n\r\n".utf8)
  }

  @Test("is answered by the event loop as by the route", arguments: ["/livez", "/health"])
  func alike(path: String) async throws {
    let server = try await TestServer()
    func answer(_ path: String) async throws -> TestAnswer {
      let connection = try TestConnection(server.port)
      try await connection.write(Self.request("GET \(path) HTTP/1.1"))
      return try await connection.answer()
    }
    // A query leads to the route.
    var (direct, routed) = (try await answer(path), try await answer(path + "?"))
    #expect(direct.headers.removeValue(forKey: "date")?.count == routed.headers.removeValue(forKey: "date")?.count)
    #expect(direct.status == 200)
    #expect(direct.text == #"{"status":"ok"}"#)
    #expect(direct.headers == routed.headers)
    #expect(direct.body == routed.body)
    await server.end()
  }

  @Test("is answered to HEAD as to GET, but for the body", arguments: ["/livez", "/readyz", "/none"])
  func heads(path: String) async throws {
    let server = try await TestServer()
    var (head, get) = (try await server.send("HEAD", path), try await server.send("GET", path))
    // Only the answer of the event loop says by itself that it is the last.
    for field in ["date", "connection"] { (head.headers[field], get.headers[field]) = (nil, nil) }
    #expect(head.status == get.status)
    #expect(head.headers == get.headers)
    #expect(head.body.isEmpty)
    await server.end()
  }

  @Test("is answered in its turn, and again on the same connection, until the client asks for the end")
  func turns() async throws {
    let server = try await TestServer()
    let connection = try TestConnection(server.port)
    let alive = Self.request("GET /livez HTTP/1.1")
    try await connection.write(alive + Self.request("GET /none HTTP/1.1") + alive + alive)
    for status in [200, 404, 200, 200] { #expect(try await connection.answer().status == status) }
    try await connection.write(Self.request("GET /livez HTTP/1.1", "Connection: close"))
    let last = try await connection.answer()
    #expect(last.status == 200)
    #expect(last.headers["connection"] == "close")
    #expect(try await connection.some(1) == 0)
    await server.end()
  }

  @Test(
    "is the routes' matter where the client does not read, so that answers to it fill no memory",
    arguments: [true, false])
  func unread(isWritable: Bool) throws {
    let channel = EmbeddedChannel(handler: LivenessAnswer(Connections(10, files: 100), now: { 0 }))
    channel.isWritable = isWritable
    let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/livez")
    try channel.writeInbound(HTTPRequestPart.head(head))
    try channel.writeInbound(HTTPRequestPart.end(nil))
    #expect(try (channel.readOutbound(as: HTTPResponsePart.self) != nil) == isWritable)
    #expect(try (channel.readInbound(as: HTTPRequestPart.self) == nil) == isWritable)
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test(
    "is the routes' matter where the request is not plain",
    arguments: [
      ("GET /livez HTTP/1.1\r\n\r\n", 400), ("GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
      ("HEAD /livez HTTP/1.1\r\nHost: a\r\n\r\n", 200),
      ("POST /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", 404),
      ("GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", 200),
    ])
  func others(request: String, status: Int) async throws {
    let server = try await TestServer()
    let connection = try TestConnection(server.port)
    try await connection.write(Array(request.utf8))
    #expect(try await connection.answer(isHead: request.hasPrefix("HEAD")).status == status)
    await server.end()
  }
}
