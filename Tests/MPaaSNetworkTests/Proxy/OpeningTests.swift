import MPaaSNetwork
import MPaaSTestSupport
import NIOCore
import Testing

@Suite("The openings of streams") struct OpeningTests {
  /// A TLS greeting for `name`.
  private func greeting(_ name: String?) -> [UInt8] {
    func prefixed(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes }
    var extensions: [UInt8] = [0, 23] + prefixed([])
    if let name { extensions += [0, 0] + prefixed(prefixed([0] + prefixed(Array(name.utf8)))) }
    let body: [UInt8] =
      [3, 3] + [UInt8](repeating: 7, count: 32) + [0] + prefixed([0x13, 1]) + [1, 0] + prefixed(extensions)
    let message: [UInt8] = [1, 0] + prefixed(body)
    return [22, 3, 1] + prefixed(message)
  }

  @Test("the server name of a TLS greeting is found, whole or in records of any size")
  func serverName() {
    let whole = greeting("Shop.Example.com")
    #expect(ServerName(ByteBuffer(bytes: whole)) == .named("shop.example.com"))
    #expect(ServerName(ByteBuffer(bytes: greeting(nil))) == .named(nil))
    for count in 1..<whole.count { #expect(ServerName(ByteBuffer(bytes: whole[..<count])) == .partial) }
    let pieces = whole[5...].flatMap { [22, 3, 1, 0, 1, $0] as [UInt8] }
    #expect(ServerName(ByteBuffer(bytes: pieces)) == .named("shop.example.com"))
    #expect(ServerName(ByteBuffer(string: "GET / HTTP/1.1\r\n")) == .foreign)
  }

  @Test("no greeting, however damaged, is a crash")
  func fuzz() {
    var random = SeededRandom(seed: 8)
    for _ in 0..<SeededRandom.rounds(or: 5000) {
      var bytes = greeting("a.example")
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      _ = ServerName(ByteBuffer(bytes: bytes))
    }
  }

  private func proxied(
    _ kind: ProxyDefinition.Kind, upstream: String = "", routes: [String: String] = [:], toxics: [Toxic] = [],
    _ talk: @escaping @Sendable (StreamPeer) throws -> String
  ) async throws -> String {
    let proxies = ProxyCollection(threads: 1)
    let proxy = try await proxies.add(
      ProxyDefinition(
        name: "p", kind: kind, listen: "127.0.0.1:0", upstream: upstream, routes: routes, toxics: toxics))
    let result = try await blocking { try talk(StreamPeer(to: proxy.listen)) }
    await proxies.shutdown()
    return result
  }

  @Test("TLS streams go by name to their upstream, unopened, or where others go")
  func routes() async throws {
    let (shop, other) = (StreamServer.naming("shop"), StreamServer.naming("other"))
    let routes = ["*.example.com": shop.address]
    for (name, answer) in [("a.example.com", "shop"), ("A.B.EXAMPLE.COM", "shop"), ("example.com", "other")] {
      let greeting = greeting(name)
      let heard = try await proxied(.tls, upstream: other.address, routes: routes) { client in
        try client.send(greeting)
        client.finish()
        return String(decoding: try client.receiveAll(), as: UTF8.self)
      }
      #expect(heard == "\(answer) \(greeting.count)")
    }
    let greeting = greeting("elsewhere")
    let alert = try await proxied(.tls, routes: routes) { client in
      try client.send(greeting)
      return "\(try client.receiveAll())"
    }
    #expect(alert == "[21, 3, 3, 0, 2, 2, 112]")
  }

  @Test("a SOCKS 5 client says where to by name or number")
  func socks() async throws {
    let server = StreamServer.echo()
    let port = UInt16(server.address.split(separator: ":")[1]) ?? 0
    let name: [UInt8] = [3, 9] + Array("localhost".utf8)
    for host in [[1, 127, 0, 0, 1], name] {
      let heard = try await proxied(.forward) { client in
        try client.send([5, 1, 0])
        #expect(try client.receive(exactly: 2) == [5, 0])
        try client.send([5, 1, 0] + host + [UInt8(port >> 8), UInt8(port & 255)])
        #expect(try client.receive(exactly: 10).prefix(2) == [5, 0])
        try client.send("through")
        return try client.text(7)
      }
      #expect(heard == "through")
    }
  }

  @Test("an HTTP client connects, or sends its request with the whole URL")
  func http() async throws {
    let server = StreamServer.echo()
    let address = server.address
    let connected = try await proxied(.forward) { client in
      try client.send("CONNECT \(address) HTTP/1.1\r\nHost: x\r\n\r\nhello")
      client.finish()
      return String(decoding: try client.receiveAll(), as: UTF8.self)
    }
    #expect(connected == "HTTP/1.1 200 Connection established\r\n\r\nhello")
    let request = try await proxied(.forward) { client in
      try client.send("GET http://\(address)/a?b HTTP/1.1\r\nHost: h\r\nProxy-Connection: x\r\n\r\n")
      client.finish()
      return String(decoding: try client.receiveAll(), as: UTF8.self)
    }
    #expect(request == "GET /a?b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
    let down = try await proxied(.forward) { client in
      try client.send("CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n")
      return String(decoding: try client.receiveAll(), as: UTF8.self)
    }
    #expect(down.hasPrefix("HTTP/1.1 502 "))
  }

  @Test("names fail for a forward proxy as conditions on names say")
  func names() async throws {
    let heard = try await proxied(.forward, toxics: [Toxic(.dnsFailure(DNSFailure(name: "*.test")))]) { client in
      try client.send("CONNECT a.test:80 HTTP/1.1\r\n\r\n")
      return String(decoding: try client.receiveAll(), as: UTF8.self)
    }
    #expect(heard.hasPrefix("HTTP/1.1 502 "))
  }
}

extension StreamServer {
  /// Answers with its name and how much it got.
  static func naming(_ name: String) -> StreamServer {
    StreamServer { peer in try peer.send("\(name) \(try peer.receiveAll().count)") }
  }
}
