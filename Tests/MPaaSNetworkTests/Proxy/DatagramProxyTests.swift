import MPaaSNetwork
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("Datagram proxies") struct DatagramProxyTests {
  @Test("datagrams of each client go there and come back to it, and are counted")
  func echo() async throws {
    let server = DatagramPeer()
    let proxies = ProxyCollection(threads: 2)
    let proxy = try await proxies.add(
      ProxyDefinition(name: "u", kind: .udp, listen: "127.0.0.1:0", upstream: "127.0.0.1:\(server.port)"))
    let port = UInt16(proxy.listen.split(separator: ":")[1]) ?? 0
    detach { server.echo(40) }
    let heard = try await blocking {
      let clients = (0..<4).map { _ in DatagramPeer() }
      var heard: [[UInt8]] = []
      for round in 0..<10 {
        for (number, client) in clients.enumerated() {
          client.send([UInt8(number), UInt8(round)], to: port)
          heard.append(client.receive())
        }
      }
      return heard
    }
    let rounds = (0..<10).flatMap { round -> [[UInt8]] in (0..<4).map { client -> [UInt8] in [client, UInt8(round)] } }
    #expect(heard == rounds)
    let figures = try #require(await proxies.statistics().first)
    #expect(figures.openConnections == 4)
    #expect(figures.upstream.datagrams == 40)
    #expect(figures.downstream.sent == 80)
    await proxies.shutdown()
  }

  @Test("lost datagrams are counted as lost")
  func loss() async throws {
    let server = DatagramPeer()
    let proxies = ProxyCollection(threads: 1)
    let proxy = try await proxies.add(
      ProxyDefinition(
        name: "u", kind: .udp, listen: "127.0.0.1:0", upstream: "127.0.0.1:\(server.port)",
        toxics: [Toxic(.loss(Loss(1)), direction: .upstream)]))
    let port = UInt16(proxy.listen.split(separator: ":")[1]) ?? 0
    let client = DatagramPeer()
    for _ in 0..<20 { client.send([1], to: port) }
    try await eventually { await proxies.statistics().first?.upstream.lost == 20 }
    #expect(await proxies.statistics().first?.upstream.sent == 0)
    await proxies.shutdown()
  }
}

/// A socket of a test for datagrams.
private final class DatagramPeer: Sendable {
  private let descriptor: Int32
  let port: UInt16

  init() {
    descriptor = socket(AF_INET, datagramSocket, 0)
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var name = loopback(0)
    let (fd, size) = (descriptor, socklen_t(MemoryLayout<sockaddr_in>.size))
    _ = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(fd, $0, size) }
    }
    port = boundPort(fd)
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8], to port: UInt16) {
    var name = loopback(port)
    _ = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  func receive() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 2048)
    return Array(buffer[..<max(0, recv(descriptor, &buffer, buffer.count, 0))])
  }

  /// Sends so many datagrams back to where they came from.
  func echo(_ count: Int) {
    var buffer = [UInt8](repeating: 0, count: 2048)
    for _ in 0..<count {
      var name = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutablePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          let read = recvfrom(descriptor, &buffer, buffer.count, 0, $0, &length)
          if read > 0 { _ = sendto(descriptor, buffer, read, 0, $0, length) }
        }
      }
    }
  }
}
