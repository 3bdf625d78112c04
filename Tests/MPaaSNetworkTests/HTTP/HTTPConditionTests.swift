import MPaaSNetwork
import MPaaSTestSupport
import Testing

@Suite("HTTP proxies under conditions") struct HTTPConditionTests {
  private static let clock = ContinuousClock()

  @Test("a reply waits as long as its condition says, also behind another one")
  func delay() async throws {
    let origin = try HTTPOrigin()
    let toxics = [Toxic(.httpDelay(HTTPDelay(.milliseconds(300), filter: RequestFilter(path: "/slow*"))))]
    try await withHTTPProxy(origin.address, toxics: toxics) { _, address in
      let start = Self.clock.now
      let quick = try await exchange(address, request("/quick"))
      let all = try await exchange(address, request("/slow/1") + request("/slow/2") + request("/end"))
      #expect(Self.clock.now - start >= .milliseconds(300))
      #expect(quick.hasSuffix("GET /quick"))
      #expect(all.hasSuffix("GET /end"))
      #expect(all.contains("GET /slow/1HTTP/1.1 200 OK"))
      #expect(all.contains("GET /slow/2HTTP/1.1 200 OK"))
    }
  }

  @Test("the first two requests fail with the status, fields and body that are asked for; then all is well")
  func failure() async throws {
    let origin = try HTTPOrigin()
    let failure = HTTPFailure(
      status: 503, body: "{\"error\":1}", headers: ["Content-Type": "application/json", "Retry-After": "1"],
      filter: RequestFilter(path: "/api/*", first: 2))
    try await withHTTPProxy(origin.address, toxics: [Toxic(.httpError(failure))]) { _, address in
      let all = try await exchange(
        address,
        request("/api/1", "POST", "Content-Length: 3") + "abc" + request("/api/2", "HEAD") + request("/other")
          + request("/api/3"))
      let answers = all.components(of: "HTTP/1.1 ").dropFirst()
      #expect(answers.map { String($0.prefix(3)) } == ["503", "503", "200", "200"])
      #expect(answers.first?.contains("Content-Type: application/json\r\nRetry-After: 1\r\nContent-Length: 11") == true)
      #expect(answers.first?.hasSuffix("{\"error\":1}") == true)
      #expect(all.hasSuffix("GET /api/3"))
    }
  }

  @Test("a failure needs no upstream")
  func failureWithoutUpstream() async throws {
    let toxics = [Toxic(.httpError(HTTPFailure(status: 429)))]
    try await withHTTPProxy("127.0.0.1:1", toxics: toxics) { _, address in
      let answer = try await exchange(address, request("/"))
      #expect(answer.hasPrefix("HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n"))
    }
  }

  @Test("the head of a reply comes a line at a time")
  func slowHeaders() async throws {
    let origin = try HTTPOrigin()
    let toxics = [Toxic(.httpSlowHeaders(HTTPSlowHeaders(.milliseconds(100))))]
    try await withHTTPProxy(origin.address, toxics: toxics) { _, address in
      let start = Self.clock.now
      let parts = try await blocking {
        let peer = try StreamPeer(to: address)
        try peer.send(request("/x"))
        peer.finish()
        var parts: [String] = []
        while case let part = try peer.receive(), !part.isEmpty { parts.append(String(decoding: part, as: UTF8.self)) }
        return parts
      }
      #expect(Self.clock.now - start >= .milliseconds(200))
      #expect(parts.first == "HTTP/1.1 200 OK\r\n")
      #expect(parts.joined().hasSuffix("\r\n\r\nGET /x"))
    }
  }

  @Test(
    "a body ends early and its connection with it; one that is short enough does not",
    arguments: ["/big/1000", "/echo"])
  func truncation(_ target: String) async throws {
    let origin = try HTTPOrigin()
    let toxics = [Toxic(.httpTruncatedBody(HTTPTruncatedBody(bytes: 100)))]
    try await withHTTPProxy(origin.address, toxics: toxics) { _, address in
      let body = String(repeating: "b", count: 1000)
      let all = try await exchange(
        address, request(target, "POST", "Content-Length: 1000") + body + request("/end"), finishes: false)
      #expect(all.count { $0 == "b" } == 100)
      #expect(!all.contains("GET /end"))
      let whole = try await exchange(address, request("/big/100") + request("/end"))
      #expect(whole.count { $0 == "b" } == 100)
      #expect(whole.hasSuffix("GET /end"))
    }
  }

  @Test("conditions of the link hold on the same connection, and change while it stands")
  func link() async throws {
    let origin = try HTTPOrigin()
    let toxics = [Toxic(.latency(Latency(.milliseconds(200))))]
    try await withHTTPProxy(origin.address, toxics: toxics) { proxies, address in
      let peer = try StreamPeer(to: address)
      func ask() async throws -> Duration {
        let start = Self.clock.now
        let answer = try await blocking {
          try peer.send(request("/a"))
          return try peer.text(44)
        }
        #expect(answer.hasSuffix("GET /a"))
        return Self.clock.now - start
      }
      #expect(try await ask() >= .milliseconds(200))
      try await proxies.removeToxic("latency_downstream", of: "p")
      try await proxies.add(Toxic(.httpDelay(HTTPDelay(.milliseconds(300)))), to: "p")
      #expect(try await ask() >= .milliseconds(300))
    }
  }

  @Test("the buttons move the replies in flight, and only those")
  func buttons() async throws {
    let origin = try HTTPOrigin()
    let toxics = [Toxic(.httpDelay(HTTPDelay(.seconds(30), filter: RequestFilter(path: "/slow"))))]
    try await withHTTPProxy(origin.address, toxics: toxics) { proxies, address in
      async let slow = exchange(address, request("/slow"))
      try await eventually { await proxies.statistics().first?.requests == 1 }
      try await Task.sleep(for: .milliseconds(100))
      await proxies.delayAll(by: .seconds(-29))
      await proxies.delayAll(by: .seconds(-29))
      let (first, second) = (try await slow, try await exchange(address, request("/b")))
      #expect(first.hasSuffix("GET /slow"))
      #expect(second.hasSuffix("GET /b"))
    }
  }

  @Test("flight mode resets connections that stand, and new ones")
  func flightMode() async throws {
    let origin = try HTTPOrigin()
    try await withHTTPProxy(origin.address) { proxies, address in
      let peer = try StreamPeer(to: address)
      _ = try await blocking {
        try peer.send(request("/a"))
        return try peer.text(44)
      }
      try await proxies.add(Toxic(.flightMode), to: "p")
      await #expect(throws: SocketFailure.self) { try await blocking { try peer.receive(exactly: 1) } }
      await #expect(throws: SocketFailure.self) {
        try await blocking {
          let other = try StreamPeer(to: address)
          try other.send(request("/b"))
          return try other.receiveAll()
        }
      }
    }
  }

  @Test("watchers are told of each request")
  func events() async throws {
    let origin = try HTTPOrigin()
    let toxics = [Toxic(name: "cut", .httpTruncatedBody(HTTPTruncatedBody(bytes: 1)))]
    try await withHTTPProxy(origin.address, toxics: toxics) { proxies, address in
      let events = await proxies.events()
      _ = try await exchange(address, request("/big/5", "POST", "Content-Length: 0"))
      let event = try #require(await events.first { $0.kind == .request })
      #expect(event.proxy == "p")
      #expect(event.details["path"] == "/big/5")
      #expect(event.details["method"] == "POST")
      #expect(event.details["status"] == "200")
      #expect(event.details["toxics"] == "cut")
      #expect(event.details["cut"] == "true")
    }
  }
}
