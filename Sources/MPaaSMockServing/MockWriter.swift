import MPaaSMock
import NIOCore
import NIOHTTP1
import NIOHTTP2

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes an answer, whole, in parts over some time, or broken.
struct MockWriter {
  private let context: ChannelHandlerContext
  private let raw: RawWriter?
  private let watch: ConnectionWatch

  init(_ context: ChannelHandlerContext, _ raw: RawWriter?, _ watch: ConnectionWatch) {
    self.context = context
    self.raw = raw
    self.watch = watch
  }

  func write(_ answer: MockAnswer, isHead: Bool, closing: Bool) {
    if let fault = answer.fault { return fail(fault) }
    if let dribble = answer.dribble, !answer.body.isEmpty, !isHead { return drip(answer, dribble, closing) }
    context.write(part(.head(head(answer, closing, isChunked: false))), promise: nil)
    if !answer.body.isEmpty, !isHead, Self.mayHaveBody(answer.status) {
      context.write(part(.body(.byteBuffer(context.channel.allocator.buffer(bytes: answer.body)))), promise: nil)
    }
    end(closing)
  }

  private func part(_ part: HTTPServerResponsePart) -> NIOAny { NIOAny(part) }

  private static func mayHaveBody(_ status: Int) -> Bool { status >= 200 && status != 204 && status != 304 }

  private func head(_ answer: MockAnswer, _ closing: Bool, isChunked: Bool) -> HTTPResponseHead {
    var headers = HTTPHeaders()
    headers.reserveCapacity(answer.headers.count + 2)
    for (name, value) in answer.headers where !Self.isOwn(name) { headers.add(name: name, value: value) }
    if isChunked {
      if raw != nil { headers.add(name: "Transfer-Encoding", value: "chunked") }
    } else if Self.mayHaveBody(answer.status) {
      headers.add(name: "Content-Length", value: "\(answer.body.count)")
    }
    if closing { headers.replaceOrAdd(name: "Connection", value: "close") }
    let status =
      answer.reason.map { HTTPResponseStatus(statusCode: answer.status, reasonPhrase: $0) }
      ?? HTTPResponseStatus(statusCode: answer.status)
    return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
  }

  /// Headers that only the writer can set right.
  private static func isOwn(_ name: String) -> Bool {
    switch name.utf8.count {
    case 14: MockRequest.isSame(name, "Content-Length")
    case 17: MockRequest.isSame(name, "Transfer-Encoding")
    case 10: MockRequest.isSame(name, "Connection") || MockRequest.isSame(name, "Keep-Alive")
    default: false
    }
  }

  private func end(_ closing: Bool) {
    // Before the end is written, since the next request may be there at once.
    watch.waitForHead()
    guard closing else { return context.writeAndFlush(part(.end(nil)), promise: nil) }
    let loop = context.loopBound
    context.writeAndFlush(part(.end(nil))).whenComplete { _ in loop.value.close(promise: nil) }
  }

  private func drip(_ answer: MockAnswer, _ dribble: ChunkedDribble, _ closing: Bool) {
    context.writeAndFlush(part(.head(head(answer, closing, isChunked: true))), promise: nil)
    let chunks = min(dribble.chunks, answer.body.count)
    let size = (answer.body.count + chunks - 1) / chunks
    let pieces = stride(from: 0, to: answer.body.count, by: size).map { start in
      Array(answer.body[start..<min(start + size, answer.body.count)])
    }
    let bound = NIOLoopBound((context, raw, watch), eventLoop: context.eventLoop)
    for (index, piece) in pieces.enumerated() {
      let time = Int64(dribble.milliseconds) * 1_000 * Int64(index + 1) / Int64(pieces.count)
      let isLast = index == pieces.count - 1
      context.eventLoop.scheduleTask(in: .microseconds(time)) {
        let (context, raw, watch) = bound.value
        guard context.channel.isActive else { return }
        let buffer = context.channel.allocator.buffer(bytes: piece)
        context.writeAndFlush(NIOAny(HTTPServerResponsePart.body(.byteBuffer(buffer))), promise: nil)
        if isLast { MockWriter(context, raw, watch).end(closing) }
      }
    }
  }

  // MARK: Faults

  private func fail(_ fault: MockFault) {
    switch fault {
    case .emptyResponse: context.close(promise: nil)
    case .connectionReset: reset()
    case .malformedChunk:
      guard let raw else { return breakStream() }
      raw.writeLast(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8) + Self.garbage())
    case .randomDataThenClose:
      guard let raw else { return breakStream() }
      raw.writeLast(Self.garbage())
    }
  }

  /// Closes so that the peer gets a reset: what is not sent is thrown away.
  private func reset() {
    guard raw != nil, let options = context.channel as? any SocketOptionProvider else {
      return context.close(promise: nil)
    }
    let loop = context.loopBound
    options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in loop.value.close(promise: nil) }
  }

  /// In HTTP/2 no other bytes can be sent: a stream ends before its body is there.
  private func breakStream() {
    let headers = HTTPHeaders([("content-length", "1000")])
    let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
    context.writeAndFlush(part(.head(head)), promise: nil)
    context.close(promise: nil)
  }

  private static func garbage() -> [UInt8] {
    // Never a number of hexadecimal digits, which would be a chunk's size.
    (0..<64).map { _ in UInt8.random(in: 0x67...0x7a) }
  }
}
