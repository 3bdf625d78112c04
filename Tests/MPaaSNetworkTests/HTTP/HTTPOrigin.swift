import MPaaSNetwork
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A server of HTTP/1.1 that answers by the path; it ends with the test.
final class HTTPOrigin: Sendable {
  let address: String
  private let channel: any Channel

  init(tls: NIOSSLContext? = nil) throws {
    channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(OriginHandler())
        }
      }.bind(host: "127.0.0.1", port: 0).wait()
    address = "127.0.0.1:\(channel.localAddress?.port ?? 0)"
  }

  deinit { channel.close(promise: nil) }
}

private final class OriginHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private var head: HTTPRequestHead?

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      if head.uri.hasPrefix("/echo") { write(context, .ok, [("Transfer-Encoding", "chunked")]) }
    case .body(let bytes):
      if head?.uri.hasPrefix("/echo") ?? false {
        context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
      }
    case .end:
      if let head { answer(context, head) }
      context.writeAndFlush(wrapOutboundOut(.end(head?.uri == "/trailers" ? ["X-Check": "whole"] : nil)), promise: nil)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) { context.flush() }

  private func answer(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
    let parts = head.uri.split(separator: "/")
    let number = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    switch parts.first ?? "" {
    case "echo": break
    case "big": send(context, .ok, ByteBuffer(repeating: UInt8(ascii: "b"), count: number))
    case "status": write(context, HTTPResponseStatus(statusCode: number), [])
    case "chunked", "trailers":
      write(context, .ok, [("Transfer-Encoding", "chunked"), ("Trailer", "X-Check")])
      for word in ["one ", "two ", "three"] {
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: word)))), promise: nil)
      }
    default: send(context, .ok, ByteBuffer(string: "\(head.method) \(head.uri)"))
    }
  }

  private func send(_ context: ChannelHandlerContext, _ status: HTTPResponseStatus, _ body: ByteBuffer) {
    write(context, status, [("Content-Length", "\(body.readableBytes)")])
    if head?.method != .HEAD { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
  }

  private func write(_ context: ChannelHandlerContext, _ status: HTTPResponseStatus, _ fields: [(String, String)]) {
    let head = HTTPResponseHead(version: .http1_1, status: status, headers: HTTPHeaders(fields))
    context.write(wrapOutboundOut(.head(head)), promise: nil)
  }
}

/// Runs `body` with an HTTP proxy before `upstream`, and ends it.
func withHTTPProxy(
  _ upstream: String, toxics: [Toxic] = [], tls: ProxyDefinition.TLS? = nil, holding: Int = 16 << 20,
  _ body: @Sendable (ProxyCollection, String) async throws -> Void
) async throws {
  let proxies = ProxyCollection(threads: 2, holding: holding)
  let proxy = try await proxies.add(
    ProxyDefinition(name: "p", kind: .http, listen: "127.0.0.1:0", upstream: upstream, tls: tls, toxics: toxics))
  let result: Result<Void, any Error>
  do { result = .success(try await body(proxies, proxy.listen)) } catch { result = .failure(error) }
  await proxies.shutdown()
  try result.get()
}

/// Sends `bytes` on a connection of their own, ends the direction, and gives all that comes.
func exchange(_ address: String, _ bytes: String, finishes: Bool = true) async throws -> String {
  try await blocking {
    let peer = try StreamPeer(to: address)
    detach {
      try? peer.send(bytes)
      if finishes { peer.finish() }
    }
    return String(decoding: try peer.receiveAll(), as: UTF8.self)
  }
}

/// A request without a body.
func request(_ target: String, _ method: String = "GET", _ fields: String...) -> String {
  (["\(method) \(target) HTTP/1.1", "Host: test"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
}
