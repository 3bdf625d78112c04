import Foundation
import MPaaSMock
import MPaaSMockServing
import MPaaSTestSupport
import Testing

@Suite("The mock's server and clients that hold it up", .serialized) struct MockLimitTests {
  private static func limits(_ change: (inout MockLimits) -> Void = { _ in }) -> MockLimits {
    var limits = MockLimits()
    (limits.patience, limits.bodyPatience) = (0.5, 1)
    change(&limits)
    return limits
  }

  private static func served(_ limits: MockLimits, _ work: (MockServer) async throws -> Void) async throws {
    let library = StubLibrary(MockWorld(now: { WallClock.seconds }))
    var slow = ResponseDefinition(body: .text("slow"))
    slow.delay = .fixed(3000)
    _ = try library.add(StubMapping(RequestPattern(.any, .url("/slow")), slow))
    _ = try library.add(StubMapping(RequestPattern(.any, .url("/a")), ResponseDefinition(body: .text("yes"))))
    let server = try await MockServer.listen(
      on: "127.0.0.1:0", isSecure: false, MockGateway(library), limits: limits,
      passing: { _, _ in MockAnswer(502) })
    try await work(server)
    await server.close()
  }

  private static let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test("closes what is idle, before a request and behind one")
  func idle() async throws {
    try await Self.served(Self.limits { $0.patience = 2 }) { server in
      let start = Date()
      #expect(try RawConnection(server.port).readToEnd().seconds != nil)
      #expect(-start.timeIntervalSinceNow > 1.9)
      for attempt in 1...20 {
        let kept = try RawConnection(server.port)
        kept.send(Self.get)
        let answer = kept.read(until: "yes")
        // A client that a busy machine holds up for two seconds is idle, too: it comes again.
        if answer.isEmpty, attempt < 20 { continue }
        #expect(answer.hasPrefix("HTTP/1.1 200"))
        #expect(kept.readToEnd().seconds != nil)
        break
      }
    }
  }

  @Test("closes a connection whose head comes a byte at a time, and one whose body does")
  func slow() async throws {
    try await Self.served(Self.limits()) { server in
      for start in ["GET /a HTTP/1.1\r\nX: ", "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n"] {
        let connection = try RawConnection(server.port)
        connection.send(start)
        let begin = Date()
        while connection.send("a"), -begin.timeIntervalSinceNow < 60 { try await Task.sleep(for: .milliseconds(50)) }
        #expect(-begin.timeIntervalSinceNow < 50, "\(start)")
      }
    }
  }

  @Test("waits with a client for an answer that takes its time")
  func delayed() async throws {
    try await Self.served(Self.limits { $0.patience = 2 }) { server in
      let connection = try RawConnection(server.port)
      connection.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(connection.read(until: "slow").hasSuffix("slow"))
    }
  }

  @Test("refuses heads and bodies that are too large, and answers others")
  func sizes() async throws {
    try await Self.served(Self.limits { ($0.head, $0.body, $0.patience, $0.bodyPatience) = (4096, 10_000, 10, 10) }) {
      server in
      // A head without an end is not waited for.
      let endless = try RawConnection(server.port)
      endless.send("GET /a HTTP/1.1\r\n")
      for _ in 0..<200 where endless.send("X-\(UUID().uuidString): \(String(repeating: "a", count: 500))\r\n") {}
      let end = endless.readToEnd()
      #expect(end.seconds != nil && (end.text.isEmpty || end.text.hasPrefix("HTTP/1.1 431")))
      let long = try RawConnection(server.port)
      long.send("GET /a HTTP/1.1\r\nX: \(String(repeating: "a", count: 5000))\r\n\r\n")
      #expect(long.readToEnd().text.hasPrefix("HTTP/1.1 431"))
      let large = try RawConnection(server.port)
      large.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n")
      large.send(String(repeating: "a", count: 20_000))
      #expect(large.readToEnd().text.hasPrefix("HTTP/1.1 413"))
      let chunked = try RawConnection(server.port)
      chunked.send("POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
      for _ in 0..<20 { chunked.send("400\r\n" + String(repeating: "a", count: 1024) + "\r\n") }
      chunked.send("0\r\n\r\n")
      #expect(chunked.readToEnd().text.hasPrefix("HTTP/1.1 413"))
      let good = try RawConnection(server.port)
      good.send(Self.get + Self.get)
      #expect(good.read(until: "yes").hasPrefix("HTTP/1.1 200"))
      let second = good.readToEnd().text
      #expect(second.isEmpty || second.hasSuffix("yes"))
    }
  }

  @Test("tells a client that asks whether its body is wanted")
  func expectation() async throws {
    try await Self.served(Self.limits { ($0.body, $0.patience, $0.bodyPatience) = (10_000, 60, 60) }) { server in
      let wanted = try RawConnection(server.port)
      wanted.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
      #expect(wanted.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 Continue"))
      wanted.send("abc")
      #expect(wanted.read(until: "yes").hasPrefix("HTTP/1.1 200"))
      let large = try RawConnection(server.port)
      large.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 30000\r\nExpect: 100-continue\r\n\r\n")
      #expect(large.readToEnd().text.hasPrefix("HTTP/1.1 413"))
    }
  }

  @Test("keeps no more connections than it may, and has room again when some go")
  func count() async throws {
    try await Self.served(Self.limits { ($0.connections, $0.patience) = (3, 60) }) { server in
      var held: [RawConnection] = []
      for _ in 0..<3 {
        let connection = try RawConnection(server.port)
        connection.send(Self.get)
        #expect(connection.read(until: "yes").hasSuffix("yes"))
        held.append(connection)
      }
      let further = try RawConnection(server.port)
      #expect(further.readToEnd().seconds != nil)
      held.removeAll()
      var answer = ""
      for _ in 0..<300 where !answer.hasSuffix("yes") {
        try await Task.sleep(for: .milliseconds(100))
        let later = try RawConnection(server.port)
        later.send(Self.get)
        answer = later.read(until: "yes")
      }
      #expect(answer.hasSuffix("yes"))
    }
  }

  @Test("closes a connection of HTTP/2 without streams")
  func http2() async throws {
    try await Self.served(Self.limits()) { server in
      let connection = try RawConnection(server.port)
      connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
      connection.send([0, 0, 0, 4, 0, 0, 0, 0, 0])
      let time = try #require(connection.readToEnd().seconds)
      #expect(time > 0.3 && time < 60)
    }
  }
}
