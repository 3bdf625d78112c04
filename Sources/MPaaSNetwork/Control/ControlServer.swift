import MPaaSSupport
import NIOCore
import NIOHTTP1
import NIOPosix

/// The control API's HTTP server.
package struct ControlServer: Sendable {
  /// Answers a request; it never throws: what fails is an answer too.
  package typealias Handler = @Sendable (ControlRequest) async -> ControlAnswer

  /// Bytes of a body that are taken.
  package static let bodyLimit = 16 << 20

  /// The address that it listens on: `127.0.0.1:8474`.
  package let address: String
  private let channel: any Channel

  /// Listens.
  ///
  /// - Parameter address: `host:port`; port 0 takes a free one.
  /// - Throws: `net-api-address` for what is no address, `net-api-listen` where it cannot be had.
  package init(on address: String, handler: @escaping Handler) async throws(NetworkError) {
    let target = try ControlAddress(address)
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
          try pipeline.addHandler(IdleStateHandler(allTimeout: .seconds(60)))
          try pipeline.addHandler(ControlConnection(handler: handler))
        }
      }
    do {
      channel = try await bootstrap.bind(to: try target.resolved()).get()
    } catch {
      throw NetworkError(.apiNotListening, ["address": address, "reason": ErrorWords.of(error)])
    }
    self.address = channel.localAddress.map { ControlAddress.text(of: $0) } ?? address
  }

  /// Takes no more connections; those that stand end by themselves.
  package func close() async {
    try? await channel.close()
  }
}

/// One connection to the control API: a request at a time.
private final class ControlConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let handler: ControlServer.Handler
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var isTooLarge = false
  /// The task that is answering now.
  private var work: Task<Void, Never>?

  init(handler: @escaping ControlServer.Handler) { self.handler = handler }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = []
      isTooLarge = false
    case .body(let bytes):
      isTooLarge = isTooLarge || body.count + bytes.readableBytes > ControlServer.bodyLimit
      if !isTooLarge { body += bytes.readableBytesView }
    case .end:
      guard let head else { return }
      self.head = nil
      answer(head, context)
    }
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard !isTooLarge else {
      let failure = ControlFailure(413, "request body too large")
      return ControlWriter.write(failure.answer, to: context.channel, closing: true)
    }
    var headers: [String: String] = [:]
    for (name, value) in head.headers { headers[name.lowercased()] = value }
    let request = ControlRequest(head.method.rawValue, head.uri, headers: headers, body: body)
    body = []
    let isKept = head.isKeepAlive
    let channel = context.channel
    work = Task { [handler] in
      let answer = await handler(request)
      if case .stream(let pieces) = answer.body {
        await ControlWriter.stream(pieces, answer, to: channel)
      } else {
        ControlWriter.write(answer, to: channel, closing: !isKept, isHead: request.method == "HEAD")
      }
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // Somebody who says nothing, and is not being told something either.
    if event is IdleStateHandler.IdleStateEvent { return context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    work?.cancel()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Writes answers; it knows nothing of the connection's state.
private enum ControlWriter {
  private static func head(_ answer: ControlAnswer, closing: Bool) -> HTTPResponseHead {
    var headers = HTTPHeaders(answer.headers.map { ($0.name, $0.value) })
    if case .bytes(let bytes) = answer.body, answer.status != 204 {
      headers.replaceOrAdd(name: "Content-Length", value: "\(bytes.count)")
    }
    headers.add(name: "X-Content-Type-Options", value: "nosniff")
    if closing { headers.replaceOrAdd(name: "Connection", value: "close") }
    return HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
  }

  static func write(
    _ answer: ControlAnswer, to channel: any Channel, closing: Bool, isHead: Bool = false
  ) {
    channel.write(HTTPServerResponsePart.head(head(answer, closing: closing)), promise: nil)
    if case .bytes(let bytes) = answer.body, !bytes.isEmpty, !isHead {
      channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes))), promise: nil)
    }
    let written = channel.writeAndFlush(HTTPServerResponsePart.end(nil))
    if closing { written.whenComplete { _ in channel.close(promise: nil) } }
  }

  static func stream(_ pieces: AsyncStream<[UInt8]>, _ answer: ControlAnswer, to channel: any Channel) async {
    do {
      try await channel.writeAndFlush(HTTPServerResponsePart.head(head(answer, closing: true)))
      for await piece in pieces {
        try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: piece))))
      }
      try await channel.writeAndFlush(HTTPServerResponsePart.end(nil))
    } catch {}
    channel.close(promise: nil)
  }
}
