import MPaaSSupport
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Sends each body of a file once, over so many connections, as fast as answers come or at a rate.
enum Posts {
  static func run(_ arguments: Arguments) async throws {
    let address = Address(arguments.text("url"))
    let bodies = try read(arguments.text("bodies"), limit: arguments.number("limit", or: .max))
    let connections = max(arguments.number("connections", or: 32), 1)
    let rate = arguments.number("rate", or: 0)
    let work = Work(
      bodies: bodies, head: head(address, arguments.headers), tally: Tally(),
      interval: rate > 0 ? .seconds(connections) / rate : nil)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let bootstrap = ClientBootstrap(group: group).channelInitializer { channel in
      channel.pipeline.addHTTPClientHandlers().flatMap {
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(PostHandler(work)) }
      }
    }
    let begin = ContinuousClock.now
    var channels: [any Channel] = []
    for index in 0..<connections {
      if let interval = work.interval, index > 0 { try await Task.sleep(for: interval / connections) }
      channels.append(try await bootstrap.connect(host: address.host, port: address.port).get())
    }
    for channel in channels { try? await channel.closeFuture.get() }
    print(work.tally.report(over: ContinuousClock.now - begin))
    try await group.shutdownGracefully()
  }

  private static func head(_ address: Address, _ headers: HTTPHeaders) -> HTTPRequestHead {
    var headers = headers
    headers.replaceOrAdd(name: "Host", value: "\(address.host):\(address.port)")
    return HTTPRequestHead(version: .http1_1, method: .POST, uri: address.path, headers: headers)
  }

  /// Bodies, each behind its length in four bytes, the lowest first.
  private static func read(_ path: String, limit: Int) throws -> [ByteBuffer] {
    let bytes = try Bytes.mapping(path)
    var rest = ByteBuffer(bytes: bytes.buffer)
    var bodies: [ByteBuffer] = []
    while bodies.count < limit, let length = rest.readInteger(endianness: .little, as: UInt32.self),
      let body = rest.readSlice(length: Int(length))
    {
      bodies.append(body)
    }
    return bodies
  }

  final class Work: Sendable {
    let head: HTTPRequestHead
    let tally: Tally
    /// Between two requests of a connection.
    let interval: Duration?
    private let bodies: [ByteBuffer]
    private let next = Atomic(0)

    init(bodies: [ByteBuffer], head: HTTPRequestHead, tally: Tally, interval: Duration?) {
      (self.bodies, self.head, self.tally, self.interval) = (bodies, head, tally, interval)
    }

    func take() -> ByteBuffer? {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      return bodies.indices.contains(index) ? bodies[index] : nil
    }
  }
}

/// One connection: a request, its answer, the next request.
private final class PostHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let work: Posts.Work
  private var due = ContinuousClock.now
  private var status: UInt = 0

  init(_ work: Posts.Work) { self.work = work }

  func channelActive(context: ChannelHandlerContext) {
    due = .now
    send(context)
  }

  private func send(_ context: ChannelHandlerContext) {
    guard let body = work.take() else { return context.close(promise: nil) }
    if work.interval == nil { due = .now }
    var head = work.head
    head.headers.replaceOrAdd(name: "Content-Length", value: String(body.readableBytes))
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): status = head.status.code
    case .body: break
    case .end:
      work.tally.add(.now - due, status: status)
      guard let interval = work.interval else { return send(context) }
      // Time counts from when the request should have gone, however late the answer before it came.
      due += interval
      let wait = due - .now
      guard wait > .zero else { return send(context) }
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      context.eventLoop.scheduleTask(in: TimeAmount(wait)) { bound.value.0.send(bound.value.1) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    work.tally.fail()
    context.close(promise: nil)
  }
}
