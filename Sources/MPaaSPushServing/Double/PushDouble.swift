package import MPaaSPush
import MPaaSSupport
import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL

/// A stand-in for APNs and FCM, which answers over TLS as they would.
package final class PushDouble: Sendable {
  /// The address, `https://HOST:PORT`.
  package let url: String
  /// The authority that its certificate is to be held against, in PEM.
  package let authority: String
  private let channel: any Channel
  private let state: DoubleState

  private init(_ channel: any Channel, host: String, authority: String, _ state: DoubleState) {
    let name = host.contains(":") ? "[\(host)]" : host
    url = "https://\(name):\(channel.localAddress?.port ?? 0)"
    self.authority = authority
    self.channel = channel
    self.state = state
  }

  /// Listens.
  ///
  /// - Parameters:
  ///   - listen: `HOST:PORT`; port 0 lets the system choose.
  ///   - now: Seconds since 1970.
  ///   - record: Told each request, on an event loop.
  /// - Throws: `push-listen` and `push-certificate`.
  package static func listen(
    on listen: String, _ configuration: DoubleConfiguration, now: @escaping @Sendable () -> Double,
    record: @escaping @Sendable (DoubleRecord) -> Void = { _ in }
  ) async throws(PushError) -> PushDouble {
    let address = try PushAddress.listening(listen)
    let certificates = try DoubleCertificates(
      names: Array(Set(["localhost"] + (address.isNumber ? [] : [address.host]))).sorted(),
      addresses: [[127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1]] + address.bytes, now: now())
    let state = DoubleState(configuration, now: now, record: record)
    let context = try tls(certificates)
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1 << 16))
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let coalescer = WriteCoalescer()
          try channel.pipeline.syncOperations.addHandlers([
            NIOSSLServerHandler(context: context), coalescer,
            NIOHTTP2Handler(mode: .server, initialSettings: settings(state.behavior)),
            DoubleConnection(state, coalescer),
          ])
        }
      }
    do {
      let channel = try await bootstrap.bind(host: address.host, port: address.port).get()
      return PushDouble(channel, host: address.host, authority: certificates.authority, state)
    } catch {
      let reason = (error as? IOError).map { Errno(rawValue: $0.errnoCode).description } ?? "\(error)"
      throw PushError(.listen, ["address": listen, "reason": reason])
    }
  }

  private static func settings(_ behavior: DoubleBehavior) -> HTTP2Settings {
    [
      HTTP2Setting(parameter: .maxConcurrentStreams, value: behavior.streams),
      HTTP2Setting(parameter: .maxHeaderListSize, value: 16 << 10),
    ]
  }

  private static func tls(_ certificates: DoubleCertificates) throws(PushError) -> NIOSSLContext {
    do {
      let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificates.server.utf8))
      let key = try NIOSSLPrivateKey(bytes: Array(certificates.key.utf8), format: .pem)
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
      configuration.applicationProtocols = ["h2"]
      configuration.minimumTLSVersion = .tlsv12
      return try NIOSSLContext(configuration: configuration)
    } catch {
      throw PushError(.certificate, ["reason": "\(error)"])
    }
  }

  /// The behavior as of now; a change counts for what comes after it, and for open connections, too.
  package var behavior: DoubleBehavior {
    get { state.behavior }
    set { state.change(newValue) }
  }

  /// The last requests, the oldest first.
  package var records: [DoubleRecord] { state.records }

  /// The most requests of a connection that were under way at a time.
  package var mostRequests: Int { state.most }

  /// Takes no more connections.
  package func close() async { try? await channel.close() }
}

extension PushAddress {
  /// An address to listen on.
  static func listening(_ text: String) throws(PushError) -> PushAddress {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw PushError(.listen, ["address": text, "reason": "address-form"])
    }
    let host = text[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    return PushAddress(host: isBracketed ? String(host.dropFirst().dropLast()) : String(host), port: Int(port))
  }

  /// The bytes of an address in digits; none for a name.
  var bytes: [[UInt8]] {
    guard let address = try? SocketAddress(ipAddress: host, port: 0) else { return [] }
    switch address {
    // Behind the family and the port, and behind the flow's label (POSIX.1, netinet/in.h, as all systems lay it out).
    case .v4(let address): return [withUnsafeBytes(of: address.address) { Array($0[4..<8]) }]
    case .v6(let address): return [withUnsafeBytes(of: address.address) { Array($0[8..<24]) }]
    case .unixDomainSocket: return []
    }
  }
}
