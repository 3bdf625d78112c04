import MPaaSNetwork
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("TCP proxies") struct TCPProxyTests {
  /// Runs `body` with a proxy before `server`, and ends it.
  private func proxied(
    _ server: StreamServer, toxics: [Toxic] = [], holding: Int = 16 << 20,
    _ body: @Sendable (ProxyCollection, String) async throws -> Void
  ) async throws {
    let proxies = ProxyCollection(threads: 2, holding: holding)
    let proxy = try await proxies.add(
      ProxyDefinition(name: "p", listen: "127.0.0.1:0", upstream: server.address, toxics: toxics))
    let result: Result<Void, any Error>
    do { result = .success(try await body(proxies, proxy.listen)) } catch { result = .failure(error) }
    await proxies.shutdown()
    try result.get()
  }

  @Test("bytes go through both ways and the figures count them")
  func echo() async throws {
    try await proxied(.echo()) { proxies, address in
      let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) }
      let received = try await blocking {
        let client = try StreamPeer(to: address)
        detach {
          try? client.send(bytes)
          client.finish()
        }
        return try client.receiveAll()
      }
      #expect(received == bytes)
      try await eventually { await proxies.statistics().first?.openConnections == 0 }
      let figures = try #require(await proxies.statistics().first)
      #expect(figures.connections == 1)
      #expect(figures.failedConnections == 0)
      #expect(figures.upstream.received == 3_000_000)
      #expect(figures.upstream.sent == 3_000_000)
      #expect(figures.downstream.received == 3_000_000)
      #expect(figures.downstream.sent == 3_000_000)
    }
  }

  @Test("a half-close passes on, and the other direction stays open")
  func halfClose() async throws {
    let server = StreamServer { peer in
      let all = try peer.receiveAll()
      try peer.send("got \(all.count)")
    }
    try await proxied(server) { _, address in
      let answer = try await blocking {
        let client = try StreamPeer(to: address)
        try client.send("hello")
        client.finish()
        return String(decoding: try client.receiveAll(), as: UTF8.self)
      }
      #expect(answer == "got 5")
    }
  }

  @Test("a reset by the server reaches the client as a reset, after what was sent before")
  func resetByServer() async throws {
    let server = StreamServer { peer in
      _ = try peer.receive()
      try peer.send("bye")
      usleep(100_000)
      peer.resetWhenClosed()
    }
    try await proxied(server) { _, address in
      let (text, code) = try await blocking {
        let client = try StreamPeer(to: address)
        try client.send("x")
        let text = try client.text(3)
        do {
          _ = try client.receive()
          return (text, Int32(0))
        } catch let error as SocketFailure { return (text, error.code) }
      }
      #expect(text == "bye")
      #expect(code == ECONNRESET)
    }
  }

  @Test("a reset by the client reaches the server as a reset")
  func resetByClient() async throws {
    let (codes, seen) = AsyncStream.makeStream(of: Int32.self)
    let server = StreamServer { peer in
      do {
        _ = try peer.receiveAll()
        seen.yield(0)
      } catch let error as SocketFailure { seen.yield(error.code) }
    }
    try await proxied(server) { _, address in
      try await blocking {
        let client = try StreamPeer(to: address)
        try client.send("x")
        usleep(100_000)
        client.resetWhenClosed()
      }
      #expect(await codes.first { _ in true } == ECONNRESET)
    }
  }

  @Test("an upstream that is down closes the client and is counted")
  func upstreamDown() async throws {
    let proxies = ProxyCollection(threads: 1)
    let proxy = try await proxies.add(
      ProxyDefinition(name: "p", listen: "127.0.0.1:0", upstream: "127.0.0.1:1"))
    let end = try await blocking { try StreamPeer(to: proxy.listen).receiveAll() }
    #expect(end.isEmpty)
    try await eventually { await proxies.statistics().first?.failedConnections == 1 }
    await proxies.shutdown()
  }

  @Test("flight mode resets the connections that stand and those that come, until it is over")
  func flightMode() async throws {
    try await proxied(.echo()) { proxies, address in
      let client = try await blocking {
        let client = try StreamPeer(to: address)
        try client.send("x")
        _ = try client.receive()
        return client
      }
      try await proxies.add(Toxic(name: "air", .flightMode), to: "p")
      #expect(await failure { try client.receive() } == ECONNRESET)
      #expect(await failure { try StreamPeer(to: address).receive() } == ECONNRESET)
      try await proxies.removeToxic("air", of: "p")
      let echoed = try await blocking {
        let client = try StreamPeer(to: address)
        try client.send("y")
        return try client.text(1)
      }
      #expect(echoed == "y")
    }
  }

  @Test("a reader that stalls makes the sender wait, and nothing is lost", .timeLimit(.minutes(10)))
  func stalledReader() async throws {
    let server = StreamServer { peer in
      let block = [UInt8](repeating: 7, count: 1 << 16)
      for _ in 0..<640 { try peer.send(block) }
    }
    try await proxied(server, holding: 1 << 20) { proxies, address in
      let client = try await blocking { try StreamPeer(to: address, receiveBuffer: 65536) }
      try await settled { await proxies.statistics().first?.downstream.received ?? 0 }
      let passed = try #require(await proxies.statistics().first).downstream.received
      #expect(passed > 0)
      #expect(passed < 40 << 20)
      let count = try await blocking { try client.receiveAll().count }
      #expect(count == 640 << 16)
    }
  }
}

/// The error that a blocking call ends with; 0 for none.
func failure<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async -> Int32 {
  do {
    _ = try await blocking(body)
    return 0
  } catch {
    return (error as? SocketFailure)?.code ?? -1
  }
}

/// Waits until `condition` holds, at most two minutes.
func eventually(_ condition: () async throws -> Bool) async throws {
  for _ in 0..<12_000 {
    if try await condition() { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  Issue.record("it never came true")
}

/// Waits until a number stays the same for 300 ms.
func settled(_ number: () async throws -> Int64) async throws {
  var (last, calm) = (try await number(), 0)
  for _ in 0..<200 where calm < 6 {
    try await Task.sleep(for: .milliseconds(50))
    let next = try await number()
    calm = next == last && next > 0 ? calm + 1 : 0
    last = next
  }
}
