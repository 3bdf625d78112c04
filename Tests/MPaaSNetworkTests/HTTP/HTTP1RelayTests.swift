import MPaaSNetwork
import MPaaSTestSupport
import Testing

@Suite("HTTP/1.1 through a proxy") struct HTTP1RelayTests {
  @Test("requests one after another and all at once are answered in their order on one connection")
  func order() async throws {
    let origin = try HTTPOrigin()
    try await withHTTPProxy(origin.address) { proxies, address in
      let paths = (0..<200).map { "/number/\($0)" }
      let answers = try await exchange(address, paths.map { request($0) }.joined())
      let numbers = answers.components(of: "GET /number/").dropFirst().map { String($0.prefix { $0 != "H" }) }
      #expect(numbers == (0..<200).map { "\($0)" })
      let figures = try #require(await proxies.statistics().first)
      #expect(figures.requests == 200)
      #expect(figures.connections == 1)
    }
  }

  @Test("bodies keep their chunks and trailers; HEAD, 204 and 304 have none")
  func framing() async throws {
    let origin = try HTTPOrigin()
    try await withHTTPProxy(origin.address) { _, address in
      let all = try await exchange(
        address,
        request("/chunked") + request("/big/9", "HEAD") + request("/status/204") + request("/status/304")
          + request("/trailers") + request("/end"))
      #expect(all.contains("4\r\none \r\n4\r\ntwo \r\n5\r\nthree\r\n0\r\n\r\nHTTP/1.1 200"))
      #expect(all.contains("X-Check: whole"))
      #expect(all.hasSuffix("GET /end"))
      #expect(all.components(of: "HTTP/1.1 ").count == 7)
    }
  }

  @Test("a body in chunks reaches the upstream as it was sent")
  func upload() async throws {
    let origin = try HTTPOrigin()
    try await withHTTPProxy(origin.address) { _, address in
      let body = "5;x=y\r\nhello\r\n6\r\n world\r\n0\r\nX-Sum: 1\r\n\r\n"
      let all = try await exchange(
        address, request("/echo", "POST", "Transfer-Encoding: chunked") + body + request("/end"))
      #expect(all.contains("hello"))
      #expect(all.contains(" world"))
      #expect(all.hasSuffix("GET /end"))
    }
  }

  @Test("`Expect: 100-continue` is for the upstream to answer")
  func expectation() async throws {
    let server = StreamServer { peer in
      _ = try peer.receive()
      try peer.send("HTTP/1.1 100 Continue\r\n\r\n")
      let body = String(decoding: try peer.receive(exactly: 4), as: UTF8.self)
      try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\(body)")
      _ = try peer.receive()
    }
    let toxics = [Toxic(.httpDelay(HTTPDelay(.milliseconds(50))))]
    try await withHTTPProxy(server.address, toxics: toxics) { _, address in
      let answer = try await blocking {
        let peer = try StreamPeer(to: address)
        try peer.send(request("/x", "PUT", "Content-Length: 4", "Expect: 100-continue"))
        let first = try peer.text(25)
        try peer.send("body")
        peer.finish()
        return first + String(decoding: try peer.receiveAll(), as: UTF8.self)
      }
      #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"))
      #expect(answer.hasSuffix("body"))
    }
  }

  @Test("after an upgrade all bytes pass as they are, both ways and with half-closes")
  func upgrade() async throws {
    let server = StreamServer { peer in
      _ = try peer.receive()
      try peer.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nfirst")
      try peer.send(try peer.receiveAll() + Array("!".utf8))
    }
    try await withHTTPProxy(server.address) { _, address in
      let answer = try await blocking {
        let peer = try StreamPeer(to: address)
        try peer.send(request("/ws", "GET", "Connection: keep-alive, Upgrade", "Upgrade: echo") + "GET / garbage\n")
        try peer.send("\u{0}\u{1} no HTTP")
        peer.finish()
        return String(decoding: try peer.receiveAll(), as: UTF8.self)
      }
      #expect(answer.hasSuffix("firstGET / garbage\n\u{0}\u{1} no HTTP!"))
    }
  }

  @Test("an upgrade that the upstream passes over leaves the connection to HTTP")
  func noUpgrade() async throws {
    let server = StreamServer { peer in
      for path in ["/a", "/b", "/c", "/d"] {
        var head = ""
        while !head.hasSuffix("\r\n\r\n") { head += try peer.text(1) }
        #expect(head.hasPrefix("GET \(path) "))
        #expect(!head.contains("h2c"))
        try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nGET \(path)")
      }
    }
    try await withHTTPProxy(server.address) { _, address in
      let all = try await exchange(
        address,
        request("/a", "GET", "Connection: Upgrade", "Upgrade: h2c, x") + request("/b")
          + request("/c", "GET", "Connection: upgrade", "Upgrade: other") + request("/d"))
      #expect(all.contains("GET /a"))
      #expect(all.contains("GET /c"))
      #expect(all.hasSuffix("GET /d"))
    }
  }

  @Test("a reply without a length ends with its connection")
  func openEnd() async throws {
    let server = StreamServer { peer in
      _ = try peer.receive()
      try peer.send("HTTP/1.0 200 OK\r\n\r\nall of it")
    }
    try await withHTTPProxy(server.address) { _, address in
      let answer = try await exchange(address, request("/"), finishes: false)
      #expect(answer.hasSuffix("\r\n\r\nall of it"))
    }
  }

  @Test("a stalled reader stalls the upstream, and what is held stays small")
  func backPressure() async throws {
    let server = StreamServer { peer in
      _ = try peer.receive()
      try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 33554432\r\n\r\n")
      for _ in 0..<512 { try peer.send([UInt8](repeating: 7, count: 65536)) }
    }
    try await withHTTPProxy(server.address) { proxies, address in
      let peer = try await blocking {
        let peer = try StreamPeer(to: address, receiveBuffer: 65536)
        try peer.send(request("/"))
        return peer
      }
      var before: Int64 = -1
      try await eventually {
        let now = await proxies.statistics().first?.downstream.received ?? 0
        defer { before = now }
        try await Task.sleep(for: .milliseconds(100))
        return now > 0 && now == before
      }
      #expect(before < 24 << 20)
      let count = try await blocking { try peer.receive(exactly: 33_554_432 + 45).count }
      #expect(count == 33_554_432 + 45)
    }
  }

  @Test("an upstream that is down gets the client a 502 that says so, and the figures count it")
  func down() async throws {
    try await withHTTPProxy("127.0.0.1:1") { proxies, address in
      let all = try await exchange(address, request("/") + request("/more"), finishes: false)
      #expect(all.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
      #expect(all.contains("127.0.0.1:1"))
      #expect(all.components(of: "HTTP/1.1 ").count == 2)
      #expect(await proxies.statistics().first?.failedConnections == 1)
    }
  }

  @Test(
    "an upstream that speaks no HTTP gets the client a 502",
    arguments: ["SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 OK\r\n\r\n"])
  func noHTTP(_ greeting: String) async throws {
    let server = StreamServer { peer in
      _ = try peer.receive()
      try peer.send(greeting)
      _ = try peer.receive()
    }
    try await withHTTPProxy(server.address) { _, address in
      let answer = try await exchange(address, request("/"), finishes: false)
      #expect(answer.hasPrefix("HTTP/1.1 502 Bad Gateway"))
    }
  }

  @Test(
    "what is no request, or could be read in two ways, is refused and never led on",
    arguments: [
      ("GET / HTTP/1.1\nHost: a\n\n", 400), (" GET / HTTP/1.1\r\n\r\n", 400), ("GET  HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
      ("GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505), ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n folded\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\0\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
      ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: a\r\nExpect: magic\r\n\r\n", 417),
      ("\u{16}\u{3}\u{1}\u{2}", 400), ("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n", 505),
    ])
  func refusals(_ bytes: String, _ status: Int) async throws {
    let origin = try HTTPOrigin()
    try await withHTTPProxy(origin.address) { proxies, address in
      let all = try await exchange(address, request("/first") + bytes, finishes: false)
      let answers = all.components(of: "HTTP/1.1 ").dropFirst()
      #expect(answers.count == 2, "\(all)")
      #expect(answers.last?.hasPrefix("\(status) ") == true, "\(all)")
      #expect(answers.last?.contains("Connection: close") == true)
      #expect(await proxies.statistics().first?.requests == 1)
    }
  }

  @Test("chunks that are none end the connection, and the next connection is served")
  func chunks() async throws {
    let origin = try HTTPOrigin()
    try await withHTTPProxy(origin.address) { _, address in
      for body in ["x\r\n", "5\nhello", "-1\r\n", "5\r\nhelloX", "FFFFFFFFFFFFFFFFF\r\n", "0\r\n\nGET"] {
        let all = try await exchange(
          address, request("/echo", "POST", "Transfer-Encoding: chunked") + body, finishes: false)
        #expect(!all.contains("200 OK") || !all.contains("0\r\n\r\n"), "\(body): \(all)")
      }
      let answer = try await exchange(address, request("/next"))
      #expect(answer.hasSuffix("GET /next"))
    }
  }

  @Test("a head without end is refused, not gathered")
  func endless() async throws {
    let origin = try HTTPOrigin()
    try await withHTTPProxy(origin.address) { _, address in
      let long =
        "GET / HTTP/1.1\r\nHost: a\r\n"
        + String(repeating: "X-Long: \(String(repeating: "x", count: 90))\r\n", count: 800)
      let answer = try await exchange(address, long, finishes: false)
      #expect(answer.hasPrefix("HTTP/1.1 431 "))
    }
  }

  @Test("bytes that are no request, or nearly one, do no harm")
  func noise() async throws {
    let origin = try HTTPOrigin()
    try await withHTTPProxy(origin.address) { _, address in
      var random = SeededRandom(seed: 8)
      let good = Array(
        (request("/echo", "POST", "Transfer-Encoding: chunked") + "3\r\nabc\r\n0\r\n\r\n" + request("/x")).utf8)
      for _ in 0..<SeededRandom.rounds(or: 150) {
        var bytes = good
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: bytes.indices, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes.remove(at: place)
          default: bytes.insert(contentsOf: bytes[place...].prefix(9), at: place)
          }
        }
        let sent = bytes
        _ = try? await blocking {
          let peer = try StreamPeer(to: address, patience: 1)
          try peer.send(sent)
          peer.finish()
          return try peer.receiveAll()
        }
      }
      let answer = try await exchange(address, request("/still"))
      #expect(answer.hasSuffix("GET /still"))
    }
  }
}

extension String {
  /// The parts between the places where `separator` stands.
  func components(of separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}
