import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

/// Heads of requests as strangers write them.
enum StrangerRequest {
  static func head(_ first: String, _ lines: [String]) -> [UInt8] {
    Array((["\(first) HTTP/1.1", "Host: a"] + lines).joined(separator: "\r\n").utf8) + Array("\r\n\r\n".utf8)
  }

  /// The routes that take bodies, beside Sentry's minidumps: each with what its protocol asks for.
  static let routes: [(first: String, lines: [String])] = [
    ("POST /api/1/envelope/", []), ("POST /api/1/store/", []), ("POST /api/1/minidump/", []),
    ("POST /api/v1/crashes", []), ("POST /api/v1/records", []), ("POST /api/v1/alive", []), ("POST /api/v1/tasks", []),
    ("PATCH /api/v1/tasks/1", []), ("POST /tasks", []), ("POST /api/v1/builds", []), ("POST /apps/a/builds", []),
    ("POST /uploads", ["Tus-Resumable: 1.0.0", "Upload-Length: 1000000"]),
    (
      "PATCH /uploads/1", ["Tus-Resumable: 1.0.0", "Upload-Offset: 0", "Content-Type: application/offset+octet-stream"]
    ),
  ]
}

@Suite("Senders that nobody knows") struct StrangerTests {
  @Test("are answered 401 before their body comes, on every route", .timeLimit(.minutes(10)))
  func early() async throws {
    let server = try await TestServer()
    for length in [100_000, 10_000_000] {
      for route in StrangerRequest.routes where !route.first.hasSuffix("/envelope/") {
        let connection = try TestConnection(server.port)
        try await connection.write(StrangerRequest.head(route.first, route.lines + ["Content-Length: \(length)"]))
        // Nothing of the body is ever sent.
        #expect(try await connection.answer().status == 401, "\(route.first)")
      }
    }
    await server.end()
  }

  @Test("bring an envelope of which the first line alone is read", .timeLimit(.minutes(10)))
  func envelope() async throws {
    let server = try await TestServer()
    let head = StrangerRequest.head("POST /api/1/envelope/", ["Content-Length: 10000000"])
    for line in ["{}\n", "no object\n", "{\"event_id\":\"\(String(repeating: "0", count: 32))\"}\n"] {
      let connection = try TestConnection(server.port)
      try await connection.write(head + Array(line.utf8))
      #expect(try await connection.answer().status == 401, "\(line)")
    }
    let foreign = try TestConnection(server.port)
    try await foreign.write(head + Array("{\"dsn\":\"https://nobody@a/1\"}\n".utf8))
    #expect(try await foreign.answer().status == 403)
    let endless = try TestConnection(server.port)
    async let sent = endless.write(head + [UInt8](repeating: 0x20, count: 200_000))
    #expect(try await endless.answer().status == 401)
    endless.cut()
    _ = try await sent
    await server.end()
  }

  @Test("are known by the key of an envelope's first line, also where it is compressed")
  func key() async throws {
    let server = try await TestServer()
    let event = #"{"platform":"python","exception":{"values":[{"type":"E","value":"x"}]}}"#
    let padding = (0..<30_000).map { "\"k\($0)\":\($0 &* 7919)" }.joined(separator: ",")
    let big = "{\"platform\":\"python\",\"exception\":{\"values\":[{\"type\":\"E\"}]},\"extra\":{\(padding)}}"
    for (number, text) in [event, big].enumerated() {
      let id = String(format: "%032x", number + 1)
      let body = Array(
        """
        {"event_id":"\(id)","dsn":"https://\(server.run.ready.appKey)@a/1"}
        {"type":"event","length":\(text.utf8.count)}
        \(text)
        """.utf8)
      let plain = try await server.send("POST", "/api/1/envelope/", ["Authorization": ""], body: body)
      #expect(plain.status == 200)
      #expect(plain.json["id"] as? String == id)
      let file = try TemporaryFolder()
      try Data(body).write(to: URL(filePath: file.path + "/body"))
      #expect(try Command.run("gzip", [file.path + "/body"]).status == 0)
      let packed = [UInt8](try Data(contentsOf: URL(filePath: file.path + "/body.gz")))
      if number == 1 { #expect(packed.count > RequestBodyReader.longestBegin) }
      let gzip = try await server.send(
        "POST", "/api/1/envelope/", ["Authorization": "", "Content-Encoding": "gzip"], body: packed)
      #expect(gzip.status == 200, "\(gzip.text)")
      #expect(gzip.json["id"] as? String == id, "\(gzip.text)")
    }
    #expect(server.services.counts["accepted.crash"] == 2)
    #expect(server.services.counts["duplicate.crash"] == 2)
    await server.end()
  }
}

@Suite("Bytes that come at once") struct BodyBudgetTests {
  @Test("are limited in all, for each address and for each key, and come back")
  func budget() throws {
    let budget = BodyBudget(most: 100, each: 60)
    let first = BodyHold(budget, address: "a")
    try first.take(50)
    #expect(throws: Refusal.self) { try first.take(11) }
    let second = BodyHold(budget, address: "b")
    try second.take(40)
    // Both are the same app's, which has 90 bytes then.
    try first.join("app")
    #expect(throws: Refusal.self) { try second.join("app") }
    #expect(throws: Refusal.self) { try second.take(11) }
    #expect(budget.held == 90)
    first.release()
    try second.join("app")
    try second.take(20)
    second.release()
    #expect(budget.held == 0)
  }

  @Test("of compressed bodies are taken as they come out, and no more come out than there is room for")
  func expanding() throws {
    var limits = ServerConfiguration.Limits()
    limits.ratio = 10_000
    let text = Array((0..<400_000).map { "line \($0)\n" }.joined().utf8)
    let folder = try TemporaryFolder()
    try Data(text).write(to: folder.url.appending(path: "text"))
    #expect(try Command.run("gzip", [folder.path + "/text"]).status == 0)
    let packed = [UInt8](try Data(contentsOf: folder.url.appending(path: "text.gz")))
    // A stream that says how large it is comes at once; two streams, one behind the other, come piece by piece.
    for (body, plain) in [(packed, text), (packed + packed, text + text)] {
      let budget = BodyBudget(most: Int64(plain.count) + (1 << 20), each: .max)
      let hold = BodyHold(budget, address: "a")
      #expect(try BodyDecoding.gzip.decoded(body, limits, hold) == plain)
      #expect(budget.held >= Int64(plain.count))
      hold.release()
      let other = BodyHold(budget, address: "b")
      try other.take(2 << 20)
      let refusal = #expect(throws: Refusal.self) { try BodyDecoding.gzip.decoded(body, limits, hold) }
      #expect(refusal?.error.code == .crowded)
      #expect(budget.held <= Int64(plain.count) + (1 << 20))
    }
  }

  @Test("of zstd come out too, unless it asks for a longer window than HTTP has", .tool("zstd"))
  func window() throws {
    var limits = ServerConfiguration.Limits()
    limits.ratio = 100_000
    let text = Array((0..<1_500_000).map { "line \($0)\n" }.joined().utf8)
    let folder = try TemporaryFolder()
    try Data(text).write(to: folder.url.appending(path: "text"))
    for (options, isTaken) in [(["-3"], true), (["-3", "--long=23"], true), (["-3", "--long=27"], false)] {
      let file = folder.path + "/text"
      #expect(try Command.run("zstd", options + ["-q", "-f", file, "-o", file + ".zst"]).status == 0)
      let packed = [UInt8](try Data(contentsOf: URL(filePath: file + ".zst")))
      if isTaken {
        #expect(try BodyDecoding.zstd.decoded(packed, limits) == text)
      } else {
        let refusal = #expect(throws: Refusal.self) { try BodyDecoding.zstd.decoded(packed, limits) }
        #expect(refusal?.error.code == .encoding)
      }
    }
  }

  @Test("beyond the budget are refused with 429, counted, and taken later", .timeLimit(.minutes(10)))
  func crowded() async throws {
    let server = try await TestServer {
      $0.limits.inFlight = 150_000
      $0.limits.inFlightEach = 100_000
    }
    let authorization = "Authorization: Bearer \(server.token)"
    let holder = try TestConnection(server.port)
    try await holder.write(
      StrangerRequest.head("POST /api/v1/crashes", [authorization, "Content-Length: 90000"])
        + [UInt8](repeating: 0x20, count: 80_000))
    while server.services.budget.held < 80_000 { try await Task.sleep(for: .milliseconds(5)) }
    let refused = try await server.send("POST", "/api/v1/crashes", body: [UInt8](repeating: 0x20, count: 30_000))
    #expect(refused.status == 429)
    #expect(refused.headers["retry-after"] != nil)
    #expect(refused.json["code"] as? String == "server-crowded")
    #expect(server.services.counts["refused.server-crowded"] == 1)
    #expect(try await holder.exchange([UInt8](repeating: 0x20, count: 10_000)).status == 400)
    while server.services.budget.held > 0 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(
      try await server.send("POST", "/api/v1/crashes", body: [UInt8](repeating: 0x20, count: 30_000)).status == 400)
    await server.end()
  }
}

@Suite("Connections that take places") struct ConnectionPlaceTests {
  @Test("leave half of the files that may be open or of many a quarter, and a reserve")
  func places() {
    let few = Connections(2048, files: 256)
    #expect(few.usual + few.reserve <= 128)
    #expect(few.reserve >= 7)
    let many = Connections(2048, files: 1 << 16)
    #expect(many.usual == 2048)
    #expect(many.reserve == 128)
    let most = Connections(20_000, files: 20_000)
    #expect(most.usual + most.reserve == 15_000)
    #expect(Connections(1, files: 4).usual == 1)
  }

  @Test("beyond the limit are answered 503, while operators and /livez are served", .timeLimit(.minutes(10)))
  func reserve() async throws {
    let server = try await TestServer { $0.limits.connections = 20 }
    let silent = try (0..<20).map { _ in try TestConnection(server.port) }
    while server.services.connections.count < 20 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(try await server.send("GET", "/livez", ["Authorization": ""]).status == 200)
    #expect(try await server.send("GET", "/api/v1/crashes").status == 200)
    let refused = try await server.send("GET", "/login", ["Authorization": ""])
    #expect(refused.status == 503)
    #expect(refused.headers["retry-after"] != nil)
    #expect(
      try await server.send("GET", "/login", ["Authorization": "Bearer \(server.run.ready.appKey)"]).status == 503)
    for connection in silent { connection.cut() }
    while server.services.connections.count > 0 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(try await server.send("GET", "/login", ["Authorization": ""]).status == 200)
    await server.end()
  }

  @Test("whose clients read nothing of their answer are ended", .timeLimit(.minutes(10)))
  func unread() async throws {
    let before = try await TestServer()
    let bytes = [UInt8](repeating: 7, count: 16 << 20)
    let location = try await before.made(bytes.count)
    _ = try await before.tus("PATCH", location, ["Upload-Offset": "0"], body: bytes)
    await before.end()
    let server = try await TestServer(in: before.folder) { $0.limits.idle = 2 }
    let head = StrangerRequest.head(
      "GET \(TestServer.path(location))", ["Authorization: Bearer \(server.token)"])
    let deaf = try (0..<20).map { _ in try TestConnection(server.port) }
    for connection in deaf { try await connection.write(head) }
    while server.services.connections.opened < 20 { try await Task.sleep(for: .milliseconds(5)) }
    // Nothing is read here: the server ends them by itself.
    while server.services.connections.count > 0 { try await Task.sleep(for: .milliseconds(20)) }
    for connection in deaf { connection.cut() }
    await server.end()
  }
}

@Suite("A server that has no descriptor left", .serialized) struct DescriptorTests {
  /// With few files the connections that are taken and what the server itself has open are more than there may be.
  @Test("waits without spinning, and goes on where there is one again", .timeLimit(.minutes(10)), arguments: [44, 80])
  func none(descriptors: Int) async throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(folder, descriptors: descriptors) { $0.limits.connections = 10_000 }
    let connections = try (0..<200).map { _ in try TestConnection(server.port) }
    try await Task.sleep(for: .seconds(1))
    let before = try Self.ticks(server.identifier)
    try await Task.sleep(for: .seconds(2))
    let spent = try Self.ticks(server.identifier) - before
    // A tick is 10 ms; a loop that spins takes 200.
    #expect(spent < 60)
    for connection in connections { connection.cut() }
    // Those that waited are taken first, and found to be gone.
    var status = 0
    while status != 200 { status = try await server.tus("GET", "/livez").status }
    #expect(server.end() == 0)
  }

  /// The processor's time that a process has taken, in ticks.
  private static func ticks(_ process: Int32) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
  }
}
