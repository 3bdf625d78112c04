import HummingbirdCore
import MPaaSProtocol
import MPaaSSupport
import NIOCore
import NIOSSL

/// The channel that speaks HTTP/1.1 on a connection, inside TLS where there is a certificate.
enum ServerChannel {
  /// - Throws: `server-certificate`.
  static func builder(
    _ configuration: MPaaSProtocol.ServerConfiguration, _ connections: Connections,
    now: @escaping @Sendable () -> Double
  ) throws -> HTTPServerBuilder {
    let patience = TimeAmount.seconds(Int64(configuration.limits.idle))
    let leastRate = configuration.limits.leastRate
    let http = HTTP1Channel.Configuration(
      additionalChannelHandlers: [
        ReadingSize(), IdleConnection(patience, leastRate: leastRate, connections),
        LivenessAnswer(connections, now: now),
        RequestTrailers(),
      ],
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 100))
    guard let tls = try context(configuration) else {
      return HTTPServerBuilder { YieldingChannel(base: HTTP1Channel(responder: $0, configuration: http)) }
    }
    return HTTPServerBuilder { responder in
      YieldingChannel(
        base: PatientTLSChannel(
          base: HTTP1Channel(responder: responder, configuration: http), tls: tls, patience: patience,
          connections: connections))
    }
  }

  /// - Returns: nil where no TLS is wanted.
  private static func context(_ configuration: MPaaSProtocol.ServerConfiguration) throws -> NIOSSLContext? {
    guard let certificate = configuration.certificate, let key = configuration.privateKey else {
      guard configuration.certificate == nil, configuration.privateKey == nil else {
        throw ServerError(.certificate, ["file": configuration.certificate ?? configuration.privateKey ?? ""])
      }
      return nil
    }
    do {
      let chain = try NIOSSLCertificate.fromPEMFile(certificate)
      var tls = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
      tls.minimumTLSVersion = .tlsv12
      return try NIOSSLContext(configuration: tls)
    } catch {
      throw ServerError(.certificate, ["file": certificate])
    }
  }
}
