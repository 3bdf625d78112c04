import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("The server in operation") struct OperationsTests {
  @Test("says at /readyz of what it is made that it is ready, and 503 where its blobs cannot be written", .inFolder)
  func ready() async throws {
    let time = Time(1_790_000_000)
    let server = try await TestServer(time: time)
    let ready = try await server.send("GET", "/readyz", ["Authorization": ""])
    #expect(ready.status == 200)
    #expect(ready.json["status"] as? String == "ok")
    let names = ["disk", "database", "schema", "blobs"]
    let folder = try server.blobFolder.folder
    #expect(ready.json["checks"] as? [String: String] == Dictionary(uniqueKeysWithValues: names.map { ($0, "ok") }))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    try FileManager.default.removeItem(atPath: folder)
    time.now += 2
    let unready = try await server.send("GET", "/readyz", ["Authorization": ""])
    #expect(unready.status == 503 && unready.headers["retry-after"] != nil)
    #expect(try await server.send("GET", "/livez", ["Authorization": ""]).status == 200)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(try await server.send("GET", "/readyz", ["Authorization": ""]).status == 200)
    await server.end()
  }

  @Test("counts requests and their times as Prometheus reads it")
  func metrics() async throws {
    let server = try await TestServer()
    _ = try await server.send("GET", "/api/v1/nothing")
    let text = try await server.send("GET", "/metrics").text
    #expect(text.contains("\nmpaas_http_requests_total{method=\"GET\",status=\"404\"} 1\n"))
    #expect(text.contains("\nmpaas_http_request_duration_seconds_bucket{le=\"+Inf\"} 1\n"))
    #expect(text.contains("\nmpaas_http_request_duration_seconds_count 1\n"))
    #expect(text.contains("\nmpaas_http_requests_active 1\n"))
    #expect(text.contains("\nmpaas_connections_open "))
    // Each line is a comment, or a name, labels and a number.
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      #expect(line.wholeMatch(of: /[a-z_]+(\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\})? [-+0-9.e]+/) != nil, "\(line)")
    }
    await server.end()
  }

  @Test("writes a line of JSON of each request, with the names of traces, and of nobody's address or name")
  func log() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/requests.jsonl"
    let server = try await TestServer(in: folder) { $0.requestLog = file }
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    let headers = ["traceparent": "00-\(trace)-00f067aa0ba902b7-01", "X-Request-Id": "req-1.a"]
    let answer = try await server.send("GET", "/api/v1/users/secretname/data?token=hidden", headers)
    #expect(answer.status == 200 && answer.headers["x-request-id"] == "req-1.a")
    let refused = try await server.send(
      "GET", "/api/v1/issues", ["Authorization": "Bearer wrong", "X-Request-Id": "a b", "traceparent": "00-0-0-0"])
    #expect(refused.status == 401)
    await server.end()
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(!text.contains("secretname") && !text.contains("hidden") && !text.contains("127.0.0.1"))
    let lines = try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(lines.count == 2)
    let (first, second) = (lines[0], lines[1])
    #expect(
      first["route"] as? String == "/api/v1/users/{id}/data" || first["route"] as? String == "/api/v1/users/:id/data")
    #expect(first["trace_id"] as? String == trace && first["parent_id"] as? String == "00f067aa0ba902b7")
    #expect(first["request_id"] as? String == "req-1.a" && first["status"] as? Int == 200)
    #expect(second["code"] as? String == "server-token-unknown" && second["status"] as? Int == 401)
    #expect((second["trace_id"] as? String)?.count == 32 && second["parent_id"] == nil)
    #expect(second["request_id"] as? String == refused.headers["x-request-id"])
    #expect(second["request_id"] as? String == second["span_id"] as? String)
  }

  @Test(
    "takes the parents of traces that the specification allows alone",
    arguments: [
      ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true),
      ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", true),
      ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", false),
      ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
      ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
      ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false),
      ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false), ("", false), ("00", false),
    ])
  func parents(_ text: String, _ isTaken: Bool) {
    #expect((TraceContext(traceparent: text, request: nil).parent != nil) == isTaken)
  }

  @Test("tells a service manager that it is ready, lives and stops", .timeLimit(.minutes(10)))
  func notices() async throws {
    let folder = try TemporaryFolder()
    let socket = try NoticeSocket(folder.path + "/notify")
    let process = Process()
    process.executableURL = Command.server
    var configuration = ServerConfiguration(data: folder.path + "/data", listen: "127.0.0.1:0")
    configuration.json = true
    process.arguments = ["--configuration", String(decoding: try JSONEncoder().encode(configuration), as: UTF8.self)]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "1000000"]
    ) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try withNoSignalsBlocked { try process.run() }
    defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    let ready = try await socket.next()
    #expect(ready.hasPrefix("READY=1\nSTATUS=http://127.0.0.1:"))
    #expect(try await socket.next() == "WATCHDOG=1")
    #expect(try await socket.next() == "WATCHDOG=1")
    kill(process.processIdentifier, SIGTERM)
    var last = try await socket.next()
    while last == "WATCHDOG=1" { last = try await socket.next() }
    #expect(last == "STOPPING=1")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test("has a unit that names no word which systemd does not know, and that closes what it does not need")
  func unit() throws {
    let file = Fixture.package.appending(path: "scripts/deploy/mpaas-console.service")
    let text = try String(contentsOf: file, encoding: .utf8)
    for line in [
      "Type=notify", "NoNewPrivileges=yes", "ProtectSystem=strict", "DynamicUser=yes", "CapabilityBoundingSet=",
      "MemoryDenyWriteExecute=yes", "SystemCallFilter=@system-service", "WatchdogSec=60",
    ] {
      #expect(text.split(separator: "\n").contains { $0 == line }, "\(line)")
    }
  }
}

/// A socket as a service manager has it.
private final class NoticeSocket: Sendable {
  let path: String
  private let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
  }

  deinit { close(descriptor) }

  func next() async throws -> String {
    try await TestConnection.elsewhere { [descriptor] in
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw POSIXError(.EIO) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
      }
    }
  }
}
