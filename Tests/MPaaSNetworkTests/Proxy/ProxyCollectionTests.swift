import MPaaSNetwork
import Testing

@Suite("The collection of proxies") struct ProxyCollectionTests {
  private func code(_ body: () async throws -> Void) async -> String? {
    do {
      try await body()
      return nil
    } catch { return (error as? NetworkError)?.code.word }
  }

  @Test("names are unique, what is unknown is said, addresses must be addresses")
  func errors() async throws {
    let proxies = ProxyCollection(threads: 1)
    let first = try await proxies.add(ProxyDefinition(name: "a", listen: "127.0.0.1:0", upstream: "127.0.0.1:1"))
    #expect(!first.listen.hasSuffix(":0"))
    let again = ProxyDefinition(name: "a", listen: "127.0.0.1:0", upstream: "127.0.0.1:1")
    #expect(await code { try await proxies.add(again) } == "net-proxy-exists")
    let taken = ProxyDefinition(name: "b", listen: first.listen, upstream: "127.0.0.1:1")
    #expect(await code { try await proxies.add(taken) } == "net-address-in-use")
    for listen in ["nowhere", "a:b:c", "127.0.0.1:65536", "127.0.0.1:", "[::1:80", ""] {
      let bad = ProxyDefinition(name: "c", listen: listen, upstream: "127.0.0.1:1")
      #expect(await code { try await proxies.add(bad) } == "net-address-malformed", "\(listen)")
    }
    #expect(
      await code { try await proxies.add(ProxyDefinition(name: "", listen: ":0", upstream: "a:1")) }
        == "net-proxy-nameless")
    #expect(
      await code { try await proxies.add(ProxyDefinition(name: "d", listen: ":0")) } == "net-proxy-upstream-missing")
    #expect(await code { _ = try await proxies.proxy("z") } == "net-proxy-unknown")
    #expect(await code { try await proxies.remove("z") } == "net-proxy-unknown")
    #expect(await code { try await proxies.removeToxic("t", of: "a") } == "net-toxic-unknown")
    try await proxies.add(Toxic(.blackout), to: "a")
    #expect(await code { try await proxies.add(Toxic(.blackout), to: "a") } == "net-toxic-exists")
    #expect(await code { try await proxies.add(Toxic(.flightMode, toxicity: 2), to: "a") } == "net-toxicity-malformed")
    #expect(await proxies.all.count == 1)
    await proxies.shutdown()
  }

  @Test("a disabled proxy drops its connections and listens on the same port when it is enabled again")
  func toggle() async throws {
    let server = StreamServer.echo()
    let proxies = ProxyCollection(threads: 2)
    var proxy = try await proxies.add(ProxyDefinition(name: "p", listen: "127.0.0.1:0", upstream: server.address))
    let address = proxy.listen
    let client = try await blocking {
      let client = try StreamPeer(to: address)
      try client.send("x")
      _ = try client.receive()
      return client
    }
    proxy.isEnabled = false
    proxy = try await proxies.update(proxy)
    #expect(proxy.listen == address)
    #expect(try await blocking { try client.receiveAll() }.isEmpty)
    #expect(await failure { try StreamPeer(to: address) } != 0)
    proxy.isEnabled = true
    #expect(try await proxies.update(proxy).listen == address)
    let text = try await blocking {
      let client = try StreamPeer(to: address)
      try client.send("again")
      return try client.text(5)
    }
    #expect(text == "again")
    #expect(await proxies.statistics().first?.connections == 2)
    await proxies.shutdown()
  }

  @Test("layers stand beside a proxy's own toxics, and a reset takes both away")
  func layers() async throws {
    let proxies = ProxyCollection(threads: 1)
    try await proxies.add(ProxyDefinition(name: "p", listen: "127.0.0.1:0", upstream: "127.0.0.1:1"))
    try await proxies.add(Toxic(.blackout), to: "p")
    try await proxies.setLayer("profile", [Toxic(.latency(Latency(.milliseconds(5))))])
    #expect(try await proxies.proxy("p").toxics.map(\.name) == ["blackout_downstream", "profile.latency_downstream"])
    try await proxies.setLayer("profile", [])
    #expect(try await proxies.proxy("p").toxics.map(\.name) == ["blackout_downstream"])
    try await proxies.setLayer("timeline", [Toxic(.flightMode)], on: ["p"])
    try await proxies.reset()
    #expect(try await proxies.proxy("p").toxics.isEmpty)
    await proxies.shutdown()
  }

  @Test("toxics that come and go under load neither stop the data nor change it", .timeLimit(.minutes(10)))
  func churn() async throws {
    let server = StreamServer.echo()
    let proxies = ProxyCollection(threads: 2)
    let proxy = try await proxies.add(ProxyDefinition(name: "p", listen: "127.0.0.1:0", upstream: server.address))
    let bytes = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 13 ^ $0 >> 8) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let received = try await blocking {
            let client = try StreamPeer(to: proxy.listen)
            detach {
              try? client.send(bytes)
              client.finish()
            }
            return try client.receiveAll()
          }
          #expect(received == bytes)
        }
      }
      for number in 0..<8 {
        group.addTask {
          for round in 0..<12 {
            let direction: Direction = round % 2 == 0 ? .upstream : .downstream
            let toxic = Toxic(name: "t\(number)", .latency(Latency(.milliseconds(2))), direction: direction)
            try await proxies.add(toxic, to: "p")
            let slicer = Slicer(averageSize: 3000)
            try await proxies.update(Toxic(name: "t\(number)", .slicer(slicer), direction: direction), of: "p")
            _ = await proxies.statistics()
            await proxies.delayAll(by: .milliseconds(round % 3 - 1))
            try await proxies.removeToxic("t\(number)", of: "p")
          }
        }
      }
      try await group.waitForAll()
    }
    try await eventually { await proxies.statistics().first?.openConnections == 0 }
    await proxies.shutdown()
  }

  @Test("watchers hear of proxies, toxics and connections")
  func events() async throws {
    let server = StreamServer.echo()
    let proxies = ProxyCollection(threads: 1)
    let events = await proxies.events()
    let proxy = try await proxies.add(ProxyDefinition(name: "p", listen: "127.0.0.1:0", upstream: server.address))
    try await proxies.add(Toxic(.latency(Latency(.milliseconds(1)))), to: "p")
    try await blocking {
      let client = try StreamPeer(to: proxy.listen)
      try client.send("x")
      _ = try client.receive()
    }
    try await eventually { await proxies.statistics().first?.openConnections == 0 }
    await proxies.shutdown()
    var kinds: [NetworkEvent.Kind] = []
    for await event in events { kinds.append(event.kind) }
    #expect(kinds == [.proxyAdded, .toxicAdded, .connectionOpened, .connectionClosed, .proxyRemoved])
  }
}
