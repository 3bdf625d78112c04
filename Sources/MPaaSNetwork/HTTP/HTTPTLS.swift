import MPaaSSupport
import NIOCore
import NIOSSL
import NIOTLS

extension NetworkError.Code {
  /// A certificate, key or list of authorities that cannot be used.
  package static var tlsMaterial: Self { .malformed("net-tls-material") }
  /// A certificate without its key, or a key without its certificate.
  package static var tlsIncomplete: Self { NetworkError.Code("net-tls-incomplete", exit: .badConfiguration) }
}

/// TLS to clients.
struct ClientTLS: Sendable {
  private let context: NIOSSLContext

  /// - Returns: nil where clients come in the clear.
  init?(_ tls: ProxyDefinition.TLS) throws(NetworkError) {
    guard let certificate = tls.certificate ?? tls.key else { return nil }
    guard let chain = tls.certificate, let key = tls.key else {
      throw NetworkError(.tlsIncomplete, ["file": certificate])
    }
    let certificates = try material(chain) { bytes in try NIOSSLCertificate.fromPEMBytes(bytes) }
    let secret = try material(key) { bytes in try NIOSSLPrivateKey(bytes: bytes, format: .pem) }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(secret))
    configuration.applicationProtocols = ["h2", "http/1.1"]
    context = try material(chain, isRead: true) { _ in try NIOSSLContext(configuration: configuration) }
  }

  var handler: NIOSSLServerHandler { NIOSSLServerHandler(context: context) }
}

/// TLS to the upstream.
struct UpstreamTLS: Sendable {
  private let context: NIOSSLContext
  private let plain: NIOSSLContext
  private let host: String?

  init(_ tls: ProxyDefinition.TLS, host: String) throws(NetworkError) {
    var configuration = TLSConfiguration.makeClientConfiguration()
    if let authorities = tls.authorities {
      let certificates = try material(authorities) { bytes in try NIOSSLCertificate.fromPEMBytes(bytes) }
      configuration.trustRoots = .certificates(certificates)
    }
    let file = tls.authorities ?? ""
    plain = try material(file, isRead: true) { _ in
      configuration.applicationProtocols = ["http/1.1"]
      return try NIOSSLContext(configuration: configuration)
    }
    context = try material(file, isRead: true) { _ in
      configuration.applicationProtocols = ["h2", "http/1.1"]
      return try NIOSSLContext(configuration: configuration)
    }
    // An address is no server name (RFC 6066 section 3); the certificate is then held against the address.
    self.host = host.isEmpty || (try? SocketAddress(ipAddress: host, port: 0)) != nil ? nil : host
  }

  func handler(_ protocols: [String]) throws -> NIOSSLClientHandler {
    try NIOSSLClientHandler(context: protocols.contains("h2") ? context : plain, serverHostname: host)
  }
}

/// Reads what a file (or a text that is PEM itself) holds.
private func material<Value>(
  _ source: String, isRead: Bool = false, _ read: ([UInt8]) throws -> Value
) throws(NetworkError) -> Value {
  do {
    if isRead { return try read([]) }
    if source.hasPrefix("-----BEGIN") { return try read(Array(source.utf8)) }
    return try read(Bytes.mapping(source).array)
  } catch let error as any DiagnosticConvertible & Error {
    throw NetworkError(.tlsMaterial, ["file": source, "reason": error.diagnostic.id.description])
  } catch {
    throw NetworkError(.tlsMaterial, ["file": source.hasPrefix("-----BEGIN") ? "PEM" : source, "reason": "\(error)"])
  }
}

/// Waits for the end of the greeting, then lets the protocol above be set up.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  private let isReady: EventLoopPromise<Void>
  private let ready: (String?) throws -> Void
  private var failure: (any Error)?
  private var isOver = false

  init(_ isReady: EventLoopPromise<Void>, _ ready: @escaping (String?) throws -> Void) {
    self.isReady = isReady
    self.ready = ready
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted(let chosen)? = event as? TLSUserEvent, !isOver {
      isOver = true
      do {
        try ready(chosen)
        isReady.succeed()
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
      } catch {
        isReady.fail(error)
        context.close(promise: nil)
      }
      return
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if isOver { return context.fireErrorCaught(error) }
    end(error)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(ChannelError.eof)
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { end(ChannelError.eof) }

  private func end(_ error: any Error) {
    guard !isOver else { return }
    isOver = true
    isReady.fail(error)
  }
}
