import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Uploads at the same time, each made by POST and filled by PATCH (tus 1.0), and checked by HEAD.
enum Uploads {
  static func run(_ arguments: Arguments) async throws {
    let address = Address(arguments.text("url"))
    let count = arguments.number("count", or: 500)
    let work = Work(
      address: address, token: arguments.text("token"), size: arguments.number("size", or: 10 << 20),
      chunk: arguments.number("chunk", or: 8 << 20), tally: Tally())
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let bootstrap = ClientBootstrap(group: group).channelInitializer { channel in
      channel.pipeline.addHTTPClientHandlers().flatMap {
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(UploadHandler(work)) }
      }
    }
    let begin = ContinuousClock.now
    let connecting = (0..<count).map { _ in bootstrap.connect(host: address.host, port: address.port) }
    var channels: [any Channel] = []
    for channel in connecting { channels.append(try await channel.get()) }
    for channel in channels { try? await channel.closeFuture.get() }
    print(work.tally.report(over: ContinuousClock.now - begin))
    try await group.shutdownGracefully()
  }

  final class Work: Sendable {
    let address: Address
    let token: String
    let size: Int
    let chunk: Int
    let tally: Tally
    private let names = Atomic(0)

    init(address: Address, token: String, size: Int, chunk: Int, tally: Tally) {
      (self.address, self.token, self.size, self.chunk, self.tally) = (address, token, size, chunk, tally)
    }

    /// A piece of a file that no other upload has.
    func piece(_ upload: Int, _ range: Range<Int>) -> ByteBuffer {
      var buffer = ByteBuffer(repeating: UInt8(truncatingIfNeeded: upload), count: range.count)
      buffer.setInteger(UInt64(upload) << 32 | UInt64(range.lowerBound), at: 0)
      return buffer
    }

    func number() -> Int { names.wrappingAdd(1, ordering: .relaxed).oldValue }
  }
}

private final class UploadHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private enum Step { case create, fill, check }

  private let work: Uploads.Work
  private let number: Int
  private let begin = ContinuousClock.now
  private var step = Step.create
  private var location = ""
  private var offset = 0
  private var answer: HTTPResponseHead?
  private var isCounted = false

  init(_ work: Uploads.Work) {
    self.work = work
    number = work.number()
  }

  func channelActive(context: ChannelHandlerContext) {
    send(context, .POST, work.address.path, ["Upload-Length": String(work.size)])
  }

  private func send(
    _ context: ChannelHandlerContext, _ method: HTTPMethod, _ path: String, _ more: HTTPHeaders,
    _ body: ByteBuffer = ByteBuffer()
  ) {
    var headers = more
    headers.add(name: "Host", value: "\(work.address.host):\(work.address.port)")
    headers.add(name: "Authorization", value: "Bearer \(work.token)")
    headers.add(name: "Tus-Resumable", value: "1.0.0")
    headers.add(name: "Content-Length", value: String(body.readableBytes))
    let head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if body.readableBytes > 0 { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  private func fill(_ context: ChannelHandlerContext) {
    let end = min(offset + work.chunk, work.size)
    send(
      context, .PATCH, location,
      ["Upload-Offset": String(offset), "Content-Type": "application/offset+octet-stream"],
      work.piece(number, offset..<end))
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): answer = head
    case .body: break
    case .end:
      guard let answer else { return }
      go(on: answer, context)
    }
  }

  private func go(on answer: HTTPResponseHead, _ context: ChannelHandlerContext) {
    let stored = answer.headers.first(name: "Upload-Offset").flatMap(Int.init)
    switch step {
    case .create where answer.status == .created:
      location = Address(answer.headers.first(name: "Location") ?? "").path
      step = .fill
      fill(context)
    case .fill where answer.status == .noContent:
      offset = stored ?? work.size
      if offset < work.size { return fill(context) }
      step = .check
      send(context, .HEAD, location, [:])
    case .check where answer.status == .ok && stored == work.size:
      work.tally.add(.now - begin, status: answer.status.code)
      isCounted = true
      context.close(promise: nil)
    default:
      work.tally.add(.now - begin, status: answer.status.code)
      fail(context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(context) }

  func channelInactive(context: ChannelHandlerContext) { fail(context) }

  private func fail(_ context: ChannelHandlerContext) {
    if !isCounted { work.tally.fail() }
    isCounted = true
    context.close(promise: nil)
  }
}
