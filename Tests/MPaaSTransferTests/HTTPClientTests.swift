import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSTransfer

@Suite("Downloads over HTTP") struct HTTPClientTests {
  let folder: TemporaryFolder
  let client = HTTPClient.live(userAgent: "mpaas-tests/1")

  init() throws {
    folder = try TemporaryFolder()
  }

  private var target: String { folder.path + "/file" }
  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

  private func request(_ url: String, _ change: (inout HTTPRequest.Limits) -> Void = { _ in }) -> HTTPRequest {
    var limits = HTTPRequest.Limits()
    limits.connect = .seconds(5)
    change(&limits)
    return HTTPRequest(url, limits: limits)
  }

  static let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  @Test("a file arrives whole, with its headers, and the server learns who asks")
  func whole() throws {
    let server = try LoopbackServer { _, _ in
      LoopbackServer.answer("200 OK", headers: ["X-Kind: test"], body: Self.body)
    }
    let seen = Mutex<HTTPProgress?>(nil)
    let response = try client.download(
      HTTPDownload(request(server.url + "/a"), to: target, progress: { new in seen.withLock { $0 = new } }))
    #expect(response.status == 200)
    #expect(response.size == 100_000)
    #expect(response.headers["x-kind"] == "test")
    #expect(try Data(contentsOf: URL(filePath: target)) == Data(Self.body))
    #expect(names == ["file"])
    #expect(server.requests.first?.contains("User-Agent: mpaas-tests/1\r\n") == true)
    #expect(seen.withLock { $0 } == HTTPProgress(received: 100_000, total: 100_000))
  }

  @Test("a transfer that breaks off goes on where it was, for the same version only")
  func resumption() throws {
    let server = try LoopbackServer { head, number in
      let tag = "ETag: \"v1\""
      if number == 0 {
        // Announces all, sends a part.
        return Array(LoopbackServer.answer("200 OK", headers: [tag], body: Self.body).dropLast(60_000))
      }
      guard head.contains("Range: bytes=40000-"), head.contains("If-Range: \"v1\"") else { return nil }
      return LoopbackServer.answer(
        "206 Partial Content", headers: [tag, "Content-Range: bytes 40000-99999/100000"],
        body: Array(Self.body[40_000...]))
    }
    let response = try client.download(HTTPDownload(request(server.url + "/a"), to: target))
    #expect(response.status == 206)
    #expect(try Data(contentsOf: URL(filePath: target)) == Data(Self.body))
    #expect(server.requests.count == 2)
  }

  @Test("a server that sends all of it again is taken at its word")
  func noResumption() throws {
    let server = try LoopbackServer { _, number in
      let whole = LoopbackServer.answer("200 OK", headers: ["ETag: \"v\(number)\""], body: Self.body)
      return number == 0 ? Array(whole.dropLast(60_000)) : whole
    }
    let response = try client.download(HTTPDownload(request(server.url + "/a"), to: target))
    #expect(response.size == 100_000)
    #expect(try Data(contentsOf: URL(filePath: target)) == Data(Self.body))
  }

  @Test(
    "what fails says how, and leaves nothing",
    arguments: [
      ("404 Not Found", HTTPError.Code.status(404), 69), ("503 Busy", .status(503), 75),
      ("302 Found\r\nLocation: /again", .tooManyRedirects, 69),
      ("302 Found\r\nLocation: file:///etc/passwd", .badURL, 64),
    ])
  func failures(_ status: String, _ code: HTTPError.Code, _ exit: Int32) throws {
    let server = try LoopbackServer { _, _ in LoopbackServer.answer(status) }
    let error = #expect(throws: HTTPError.self) {
      try client.download(HTTPDownload(request(server.url + "/a"), to: target))
    }
    #expect(error?.code == code)
    #expect(error?.diagnostic.exit.rawValue == exit)
    #expect(names.isEmpty)
  }

  @Test("a redirect to another path is followed")
  func redirect() throws {
    let server = try LoopbackServer { head, _ in
      head.hasPrefix("GET /new ")
        ? LoopbackServer.answer("200 OK", body: [1, 2])
        : LoopbackServer.answer("302 Found", headers: ["Location: /new"])
    }
    #expect(try client.download(HTTPDownload(request(server.url + "/old"), to: target)).size == 2)
  }

  @Test("no more is taken than the limit, announced or not", arguments: [true, false])
  func limit(_ isAnnounced: Bool) throws {
    let server = try LoopbackServer { _, _ in
      isAnnounced
        ? LoopbackServer.answer("200 OK", body: Self.body) : Array("HTTP/1.0 200 OK\r\n\r\n".utf8) + Self.body
    }
    let error = #expect(throws: HTTPError.self) {
      try client.download(HTTPDownload(request(server.url + "/a") { $0.size = 50_000 }, to: target))
    }
    #expect(error?.code == .tooLarge(limit: 50_000))
    #expect(names.isEmpty)
  }

  @Test("a server that does not answer is given up")
  func timeout() throws {
    let server = try LoopbackServer { _, _ in nil }
    let error = #expect(throws: HTTPError.self) {
      try client.download(HTTPDownload(request(server.url + "/a") { $0.total = .milliseconds(200) }, to: target))
    }
    #expect(error?.code == .timedOut)
    #expect(error?.diagnostic.exit == .tryAgain)
    let gone = HTTPRequest("http://127.0.0.1:1/a")
    #expect(throws: HTTPError.self) { try client.download(HTTPDownload(gone, to: target)) }
    #expect(names.isEmpty)
  }

  @Test("a cancelled task ends the transfer")
  func cancellation() async throws {
    let server = try LoopbackServer { _, _ in Array(LoopbackServer.answer("200 OK", body: Self.body).dropLast(1000)) }
    let download = HTTPDownload(request(server.url + "/a"), to: target)
    let task = Task { [client] in
      while !Task.isCancelled { await Task.yield() }
      _ = try client.download(download)
    }
    task.cancel()
    let error = await #expect(throws: HTTPError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(names.isEmpty)
  }

  @Test("what the caller does not accept gets no name")
  func refused() throws {
    let server = try LoopbackServer { _, _ in LoopbackServer.answer("200 OK", body: [1]) }
    let error = #expect(throws: HTTPError.self) {
      try client.download(HTTPDownload(request(server.url + "/a"), to: target, accept: { _ in false }))
    }
    #expect(error?.code == .notAccepted)
    #expect(names.isEmpty)
  }

  @Test("a server that nobody vouches for is not trusted, one that the given certificate names is", .tool("openssl"))
  func certificates() throws {
    let key = folder.path + "/key", certificate = folder.path + "/certificate"
    let made = try Command.run(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out",
        certificate, "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2",
      ])
    #expect(made.status == 0, "\(made.errors)")
    let port = Int.random(in: 30_000..<32_000)
    let server = Process()
    server.executableURL = URL(filePath: try #require(Command.find("openssl")))
    server.arguments = [
      "s_server", "-accept", "127.0.0.1:\(port)", "-www", "-key", key, "-cert", certificate, "-quiet",
    ]
    server.standardOutput = FileHandle.nullDevice
    server.standardError = FileHandle.nullDevice
    server.standardInput = FileHandle.nullDevice
    try withNoSignalsBlocked { try server.run() }
    defer {
      server.terminate()
      server.waitUntilExit()
    }
    let request = HTTPRequest("https://127.0.0.1:\(port)/")
    let trusting = HTTPClient.live(userAgent: "mpaas-tests/1", certificates: certificate)
    var response: HTTPResponse?
    for _ in 0..<50 where response == nil {
      response = try? trusting.download(HTTPDownload(request, to: target))
      if response == nil { Thread.sleep(forTimeInterval: 0.1) }
    }
    #expect(response?.status == 200)
    let error = #expect(throws: HTTPError.self) { try client.download(HTTPDownload(request, to: target + "2")) }
    #expect(error?.code == .notTrusted)
    #expect(error?.diagnostic.exit == .notPermitted)
  }

  @Test("only HTTP and HTTPS are spoken", arguments: ["file:///etc/passwd", "ftp://127.0.0.1/a", "nonsense://x"])
  func schemes(_ url: String) throws {
    let error = #expect(throws: HTTPError.self) { try client.download(HTTPDownload(request(url), to: target)) }
    #expect(error?.code == .badURL)
  }

  @Test("a deadline ends a transfer whatever it is at: silence, a byte a second, or one attempt after another")
  func deadline() throws {
    for kind in 0..<3 {
      let server = try ScriptedServer { request in
        let head = ScriptedServer.answer("200 OK", ["ETag: \"v1\""], length: 1000)
        switch kind {
        case 0: return [.stall(seconds: 8)]
        case 1: return [head] + (0..<8).flatMap { _ in [.send([1]), .stall(seconds: 1)] }
        default: return [.stall(seconds: 0.4), .close]
        }
      }
      let clock = ContinuousClock()
      let start = clock.now
      let wanted = request(server.url + "/a") {
        $0.deadline = .now + .seconds(1)
        $0.resumptions = 100
      }
      let error = #expect(throws: HTTPError.self) { try client.download(HTTPDownload(wanted, to: target)) }
      // One that broke off without a byte is not asked again.
      #expect(error?.code == (kind == 2 ? .unreachable : .timedOut))
      var call = HTTPCall("GET", server.url + "/a")
      call.limits.deadline = .now + .seconds(1)
      let second = #expect(throws: HTTPError.self) { try client.exchange(call) }
      #expect(second?.code == (kind == 2 ? .unreachable : .timedOut))
      #expect(clock.now - start < .seconds(6))
    }
  }

  @Test("a transfer at eleven bytes a second is ended by the least rate, with the deadline far away")
  func leastRate() throws {
    let server = try ScriptedServer { _ in
      [ScriptedServer.answer("200 OK", length: 10_000)]
        + (0..<120).flatMap { _ in [.send(Array(repeating: 32, count: 11)), .stall(seconds: 1)] }
    }
    func limit(_ limits: inout HTTPRequest.Limits) {
      (limits.stall, limits.slowBytes, limits.resumptions) = (.seconds(1), 1000, 0)
      limits.deadline = .now + .seconds(600)
    }
    let clock = ContinuousClock()
    var start = clock.now
    let error = #expect(throws: HTTPError.self) {
      try client.download(HTTPDownload(request(server.url + "/a", limit), to: target))
    }
    #expect(error?.code == .timedOut, "\(clock.now - start)")
    #expect(clock.now - start < .seconds(10), "\(clock.now - start)")
    var call = HTTPCall("GET", server.url + "/a")
    limit(&call.limits)
    start = clock.now
    let second = #expect(throws: HTTPError.self) { try client.exchange(call) }
    #expect(second?.code == .timedOut, "\(clock.now - start)")
    #expect(clock.now - start < .seconds(10), "\(clock.now - start)")
  }
}
