import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// A channel that sets up TLS and HTTP once the client's first record is whole.
///
/// Both take a quarter of a millisecond to make. A thousand clients that begin a handshake and do not go on would keep
/// others waiting for it.
struct PatientTLSChannel: ServerChildChannel {
  let base: HTTP1Channel
  let tls: NIOSSLContext
  /// The time that a client has for its first record.
  let patience: TimeAmount
  let connections: Connections?

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<OpeningConnection> {
    channel.eventLoop.makeCompletedFuture {
      let connection = OpeningConnection(channel)
      let gate = ClientHelloGate(tls, patience: patience, connections) { begin in
        guard let begin else { return connection.open(nil) }
        base.setup(channel: channel, logger: logger).whenComplete { made in
          guard case .success(let http) = made else { return channel.close(promise: nil) }
          connection.open(http)
          // The time for the head has run since the connection began.
          let idle = try? channel.pipeline.syncOperations.handler(type: IdleConnection.self)
          idle?.count(from: begin)
        }
      }
      try channel.pipeline.syncOperations.addHandler(gate)
      return connection
    }
  }

  func handle(value: OpeningConnection, logger: Logger) async {
    guard let http = await value.http() else { return }
    await base.handle(value: http, logger: logger)
  }
}
