import MPaaSNetwork
import MPaaSTestSupport
import NIOCore
import NIOPosix
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A name server that knows every name by one address, over UDP; it ends with the test.
private final class NameServer: Sendable {
  let address: String
  private let channel: any Channel

  init() throws {
    channel = try DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton).channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Answers()) }
    }.bind(host: "127.0.0.1", port: 0).wait()
    address = "127.0.0.1:\(channel.localAddress?.port ?? 0)"
  }

  deinit { channel.close(promise: nil) }

  static func answer(_ query: [UInt8]) -> [UInt8] {
    var answer = query
    answer[2] |= 0x80
    answer[7] = 1
    return answer + [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1]
  }

  private final class Answers: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let query = unwrapInboundIn(data)
      let answer = ByteBuffer(bytes: NameServer.answer(Array(query.data.readableBytesView)))
      context.writeAndFlush(
        wrapOutboundOut(AddressedEnvelope(remoteAddress: query.remoteAddress, data: answer)), promise: nil)
    }
  }
}

@Suite("DNS proxies") struct DNSProxyTests {
  private func proxied(
    _ upstream: String, toxics: [Toxic] = [], _ body: @Sendable (ProxyCollection, String) async throws -> Void
  ) async throws {
    let proxies = ProxyCollection(threads: 2)
    let proxy = try await proxies.add(
      ProxyDefinition(name: "d", kind: .dns, listen: "127.0.0.1:0", upstream: upstream, toxics: toxics))
    let result: Result<Void, any Error>
    do { result = .success(try await body(proxies, proxy.listen)) } catch { result = .failure(error) }
    await proxies.shutdown()
    try result.get()
  }

  /// The answer by UDP, or nil where none comes in `patience` seconds.
  private func ask(_ address: String, _ query: [UInt8], patience: Int = 10) async throws -> [UInt8]? {
    try await blocking {
      let peer = StreamPeer(descriptor: socket(AF_INET, datagramSocket, 0))
      var limit = timeval(tv_sec: patience, tv_usec: 0)
      setsockopt(peer.descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      var name = loopback(UInt16(address.split(separator: ":").last ?? "") ?? 0)
      _ = withUnsafePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(peer.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      try peer.send(query)
      return try? peer.receive()
    }
  }

  @Test("a question is answered by the server, under its own number")
  func forwarding() async throws {
    let server = try NameServer()
    try await proxied(server.address) { proxies, address in
      for id in [UInt16(7), 7, 0xffff] {
        let query = question("www.example.com", id: id)
        let answer = try await ask(address, query)
        #expect(answer == NameServer.answer(query))
      }
      #expect(await proxies.statistics().first?.requests == 3)
    }
  }

  @Test(
    "names that match fail as told, others do not",
    arguments: [(DNSFailure.Answer.nxdomain, UInt8(3)), (.servfail, 2), (.refused, 5)])
  func failure(_ answer: DNSFailure.Answer, _ code: UInt8) async throws {
    let server = try NameServer()
    let toxics = [Toxic(.dnsFailure(DNSFailure(answer, name: "*.Ads.test")))]
    try await proxied(server.address, toxics: toxics) { _, address in
      let failed = try #require(try await ask(address, question("x.ads.TEST")))
      #expect(try DNSMessage(failed).response == code)
      let other = try #require(try await ask(address, question("ads.test")))
      #expect(try DNSMessage(other).response == 0)
    }
  }

  @Test("silence is no answer, and flight mode neither, until it is over")
  func silence() async throws {
    let server = try NameServer()
    let toxics = [Toxic(.dnsFailure(DNSFailure(.silence, name: "quiet.test")))]
    try await proxied(server.address, toxics: toxics) { proxies, address in
      let quiet = try await ask(address, question("quiet.test"), patience: 1)
      #expect(quiet == nil)
      try await proxies.add(Toxic(.flightMode), to: "d")
      let offline = try await ask(address, question("a.test"), patience: 1)
      #expect(offline == nil)
      try await proxies.removeToxic("flight_mode_downstream", of: "d")
      #expect(try await ask(address, question("a.test")) != nil)
    }
  }

  @Test("answers come later as told, by names or by the link, and the buttons move them")
  func delay() async throws {
    let server = try NameServer()
    let toxics = [
      Toxic(.dnsDelay(DNSDelay(.milliseconds(300), name: "slow.*"))),
      Toxic(.dnsDelay(DNSDelay(.seconds(60), name: "never.*"))),
    ].enumerated().map { Toxic(name: "t\($0.offset)", $0.element.condition) }
    try await proxied(server.address, toxics: toxics) { proxies, address in
      var start = ContinuousClock.now
      #expect(try await ask(address, question("slow.test")) != nil)
      #expect(ContinuousClock.now - start >= .milliseconds(300))
      async let never = ask(address, question("never.test"))
      try await eventually { await proxies.statistics().first?.requests == 2 }
      await proxies.delayAll(by: .seconds(-60))
      #expect(try await never != nil)
      try await proxies.add(Toxic(.latency(Latency(.milliseconds(200)))), to: "d")
      start = .now
      #expect(try await ask(address, question("fast.test")) != nil)
      #expect(ContinuousClock.now - start >= .milliseconds(200))
    }
  }

  @Test("malformed questions get a format error or nothing, and a server that is down a failure")
  func trouble() async throws {
    try await proxied("127.0.0.1:1") { _, address in
      let broken = Array(question("a.test").dropLast())
      let (first, second) = (try await ask(address, broken), try await ask(address, question("a.test")))
      #expect(first?.dropFirst(3).first == 0x81)
      #expect(second?.dropFirst(3).first == 0x82)
    }
  }

  @Test("over TCP too: several questions on one connection, answers with their lengths")
  func stream() async throws {
    let server = StreamServer { peer in
      while case let length = try peer.receive(exactly: 2), length.count == 2 {
        let query = try peer.receive(exactly: Int(length[0]) << 8 | Int(length[1]))
        let answer = NameServer.answer(query)
        try peer.send([UInt8(answer.count >> 8), UInt8(answer.count & 255)] + answer)
      }
    }
    let toxics = [Toxic(.dnsFailure(DNSFailure(.nxdomain, name: "b.test")))]
    try await proxied(server.address, toxics: toxics) { _, address in
      let answers = try await blocking {
        let peer = try StreamPeer(to: address)
        for (id, name) in ["a.test", "b.test", "c.test"].enumerated() {
          let query = question(name, id: UInt16(id))
          try peer.send([0, UInt8(query.count)] + query)
        }
        var answers: [UInt16: UInt8] = [:]
        for _ in 0..<3 {
          let length = try peer.receive(exactly: 2)
          let message = try DNSMessage(try peer.receive(exactly: Int(length[0]) << 8 | Int(length[1])))
          answers[message.id] = message.response
        }
        return answers
      }
      #expect(answers == [0: 0, 1: 3, 2: 0])
    }
  }
}
