import MPaaSPush
import MPaaSSupport
import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL

/// Opens connections to a provider.
struct PushConnector: Sendable {
  let address: PushAddress
  let trust: PushTrust
  var patience = TimeAmount.seconds(10)

  /// Opens a connection that takes jobs of a queue.
  ///
  /// - Returns: The number of answers, which comes as soon as the connection takes no more jobs.
  /// - Throws: `push-unreachable`.
  func connect(
    _ queue: PushQueue, _ provider: any PushProvider, limits: PushConnection.Limits
  ) async throws(PushError) -> EventLoopFuture<Int> {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let ready = loop.makePromise(of: Void.self)
    let retired = loop.makePromise(of: Int.self)
    let bootstrap = ClientBootstrap(group: loop)
      .connectTimeout(patience)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1 << 16))
      .channelOption(.writeBufferWaterMark, value: .init(low: 1 << 17, high: 1 << 19))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let coalescer = WriteCoalescer()
          try channel.pipeline.syncOperations.addHandlers([
            NIOSSLClientHandler(context: trust.context, serverHostname: address.isNumber ? nil : address.host),
            coalescer,
            NIOHTTP2Handler(
              mode: .client, initialSettings: Self.settings, headerBlockValidation: .disabled,
              contentLengthValidation: .disabled),
            PushConnection(
              queue, provider, authority: address.authority, limits: limits, coalescer: coalescer, ready: ready,
              retired: retired),
          ])
        }
      }
    do {
      let channel = try await bootstrap.connect(host: address.host, port: address.port).get()
      let deadline = loop.scheduleTask(in: patience) { channel.close(promise: nil) }
      try await ready.futureResult.get()
      deadline.cancel()
      return retired.futureResult
    } catch {
      // The promises belong to a handler that may never have been there.
      ready.fail(error)
      retired.succeed(0)
      throw PushError(.unreachable, ["address": address.authority, "reason": Self.reason(error)])
    }
  }

  /// Nothing is pushed to a sender, and answers are short.
  private static var settings: HTTP2Settings {
    [
      HTTP2Setting(parameter: .enablePush, value: 0), HTTP2Setting(parameter: .initialWindowSize, value: 1 << 20),
      HTTP2Setting(parameter: .maxHeaderListSize, value: 16 << 10),
    ]
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as NIOConnectionError: error.connectionErrors.first.map { reason($0.error) } ?? "no address"
    case let error as IOError: Errno(rawValue: error.errnoCode).description
    case let error as NIOSSLError:
      "\(error)".contains("CERTIFICATE_VERIFY_FAILED")
        ? "no authority vouches for the server's certificate" : "the server refuses TLS"
    case ChannelError.connectTimeout: "the connection timed out"
    case ChannelError.eof: "the server closed the connection"
    default: "\(error)"
    }
  }
}
