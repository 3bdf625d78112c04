package import MPaaSMock
import MPaaSPush
import MPaaSSupport
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL

/// The mock as a server of HTTP/1.1 and HTTP/2.
package final class MockServer: Sendable {
  /// Passes a request on to another server.
  package typealias Passing = @Sendable (MockRequest, ResponseDefinition.Proxying) async -> MockAnswer

  /// The address, `http://HOST:PORT`.
  package let url: String
  /// The port that it listens on.
  package let port: Int
  /// The authority that its certificate is to be held against, in PEM; nil without TLS.
  package let authority: String?
  private let channel: any Channel

  private init(_ channel: any Channel, host: String, authority: String?) {
    let name = host.contains(":") ? "[\(host)]" : host
    port = channel.localAddress?.port ?? 0
    url = "\(authority == nil ? "http" : "https")://\(name):\(port)"
    self.authority = authority
    self.channel = channel
  }

  /// Listens.
  ///
  /// - Parameters:
  ///   - listen: `HOST:PORT`; port 0 lets the system choose.
  ///   - isSecure: Whether it speaks TLS, with a certificate of its own making.
  ///   - told: Told of each request that was answered: method, target, status.
  /// - Throws: `mock-listen` and `mock-certificate`.
  package static func listen(
    on listen: String, isSecure: Bool, _ gateway: MockGateway, limits: MockLimits = MockLimits(),
    passing: @escaping Passing,
    told: (@Sendable (String, String, Int) -> Void)? = nil
  ) async throws(MockServingError) -> MockServer {
    let address = try ListeningAddress(listen)
    let certificates = isSecure ? try certificates(address) : nil
    let context = try certificates.map { given throws(MockServingError) in try tls(given) }
    let scheme = isSecure ? "https" : "http"
    let limits = limits.fitting()
    let count = ConnectionCount(most: limits.connections)
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        let place = MockPlace(
          scheme: scheme, port: channel.localAddress?.port ?? 0, client: channel.remoteAddress?.ipAddress ?? "")
        let core = MockCore(
          gateway: gateway, admin: AdminAPI(gateway), limits: limits, passing: passing, told: told)
        return channel.eventLoop.makeCompletedFuture {
          guard count.take(channel) else { throw TooManyConnections() }
          let pipeline = channel.pipeline.syncOperations
          let watch = ConnectionWatch(limits)
          if let context {
            try pipeline.addHandler(NIOSSLServerHandler(context: context))
            try pipeline.addHandler(watch)
            try pipeline.addHandler(NegotiatedProtocol(core, place, watch))
          } else {
            try pipeline.addHandler(watch)
            try pipeline.addHandler(SniffedProtocol(core, place, watch))
          }
        }
      }
    do {
      let channel = try await bootstrap.bind(host: address.host, port: address.port).get()
      return MockServer(channel, host: address.host, authority: certificates?.authority)
    } catch {
      let reason = (error as? IOError).map { Errno(rawValue: $0.errnoCode).description } ?? "\(error)"
      throw MockServingError(.listen, ["address": listen, "reason": reason])
    }
  }

  private static func certificates(_ address: ListeningAddress) throws(MockServingError) -> DoubleCertificates {
    let number = try? SocketAddress(ipAddress: address.host, port: 0)
    var addresses: [[UInt8]] = [[127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1]]
    // Behind the family and the port, and behind the flow's label (POSIX.1, netinet/in.h, as all systems lay it out).
    switch number {
    case .v4(let address)?: addresses.append(withUnsafeBytes(of: address.address) { Array($0[4..<8]) })
    case .v6(let address)?: addresses.append(withUnsafeBytes(of: address.address) { Array($0[8..<24]) })
    default: break
    }
    let names = Set(["localhost"] + (number == nil ? [address.host] : [])).sorted()
    do throws(PushError) {
      return try DoubleCertificates(names: names, addresses: addresses, now: WallClock.seconds)
    } catch {
      throw MockServingError(.certificate, ["reason": error.code.id.name])
    }
  }

  private static func tls(_ certificates: DoubleCertificates) throws(MockServingError) -> NIOSSLContext {
    do {
      let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificates.server.utf8))
      let key = try NIOSSLPrivateKey(bytes: Array(certificates.key.utf8), format: .pem)
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
      configuration.applicationProtocols = ["h2", "http/1.1"]
      configuration.minimumTLSVersion = .tlsv12
      return try NIOSSLContext(configuration: configuration)
    } catch {
      throw MockServingError(.certificate, ["reason": "\(error)"])
    }
  }

  /// Takes no more connections.
  package func close() async { try? await channel.close() }
}

/// The end of a connection that comes while as many are open as may be.
private struct TooManyConnections: Error {}

/// The place of a connection: the scheme, the port that it came to, and the client's address.
struct MockPlace: Sendable {
  let scheme: String
  let port: Int
  let client: String
}

/// All that the connections of a mock share.
struct MockCore: Sendable {
  let gateway: MockGateway
  let admin: AdminAPI
  let limits: MockLimits
  let passing: MockServer.Passing
  let told: (@Sendable (String, String, Int) -> Void)?

  /// The answer to a request, without what has to be waited for.
  func answer(_ request: MockRequest) -> MockAnswer {
    guard request.target.hasPrefix("/__") else { return gateway.answer(request) }
    let path = request.path
    if path == AdminAPI.prefix || path.hasPrefix(AdminAPI.prefix + "/") { return admin.answer(request) }
    if path == MockPage.path || path == MockPage.path + "/" { return MockPage.answer(request, gateway.options.hosts) }
    return gateway.answer(request)
  }
}
