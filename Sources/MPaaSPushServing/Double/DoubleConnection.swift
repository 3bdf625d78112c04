import MPaaSPush
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The double's end of a connection.
final class DoubleConnection: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame
  typealias OutboundOut = HTTP2Frame

  private let state: DoubleState
  private let coalescer: WriteCoalescer
  private var number = 0
  private var context: ChannelHandlerContext?
  private var requests: [HTTP2StreamID: DoubleRequest] = [:]
  /// The number of requests that are not answered yet.
  private var open = 0
  private var count = 0
  private var unacknowledged = 0
  private var hasWritten = false
  /// The highest stream whose request was taken.
  private var last = HTTP2StreamID.rootStream
  private var isLeaving = false

  init(_ state: DoubleState, _ coalescer: WriteCoalescer) {
    self.state = state
    self.coalescer = coalescer
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    number = state.open { streams in bound.eventLoop.execute { bound.value.allow(streams) } }
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  private func end() {
    context = nil
    requests = [:]
    state.close(number)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is NIOHTTP2Errors.StreamError || error is NIOHTTP2Errors.NoSuchStream { return }
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.payload {
    case .headers(let headers):
      begin(headers.headers, on: frame.streamID)
      if headers.endStream { take(frame.streamID) }
    case .data(let data):
      receive(data, on: frame.streamID)
      if data.endStream { take(frame.streamID) }
    case .rstStream: requests[frame.streamID] = nil
    case .goAway: leaveIfOver()
    default: break
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if unacknowledged >= 16 << 10 {
      write(.windowUpdate(windowSizeIncrement: unacknowledged), on: .rootStream)
      unacknowledged = 0
    }
    flush()
    context.fireChannelReadComplete()
  }

  // MARK: Requests

  private func begin(_ headers: HPACKHeaders, on id: HTTP2StreamID) {
    guard !isLeaving || id <= last else { return }
    // Trailers say nothing more.
    guard requests[id] == nil else { return }
    var request = DoubleRequest()
    for (name, value, _) in headers {
      switch name {
      case ":method": request.method = value
      case ":path": request.path = value
      default: request.headers.append((name, value))
      }
    }
    requests[id] = request
  }

  private func receive(_ data: HTTP2Frame.FramePayload.Data, on id: HTTP2StreamID) {
    unacknowledged += data.data.readableBytes + (data.paddingBytes.map { $0 + 1 } ?? 0)
    // A body that is longer is refused for its size in any case.
    guard case .byteBuffer(let bytes) = data.data, requests[id]?.body.count ?? .max < 16 << 10 else { return }
    requests[id]?.body += bytes.readableBytesView
  }

  private func take(_ id: HTTP2StreamID) {
    guard let request = requests.removeValue(forKey: id) else { return }
    last = max(last, id)
    let answer = state.answer(request, connection: number, stream: Int(id))
    let behavior = state.behavior
    open += 1
    count += 1
    state.note(open)
    if !isLeaving, behavior.goAwayAfter > 0, count >= behavior.goAwayAfter {
      leave()
      if behavior.dropsAtGoAway {
        flush()
        context?.close(promise: nil)
        return
      }
    }
    guard behavior.latency > 0, let loop = context?.eventLoop else { return send(answer, on: id) }
    loop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(behavior.latency))) {
      self.send(answer, on: id)
      self.flush()
    }
  }

  // MARK: Answers

  private func send(_ answer: DoubleAnswer, on id: HTTP2StreamID) {
    open -= 1
    var head: HPACKHeaders = [":status": "\(answer.status)"]
    if let id = answer.id { head.add(name: "apns-id", value: id, indexing: .nonIndexable) }
    if let seconds = answer.retryAfter { head.add(name: "retry-after", value: "\(seconds)") }
    if !answer.body.isEmpty { head.add(name: "content-type", value: "application/json") }
    write(.headers(.init(headers: head, endStream: answer.body.isEmpty)), on: id)
    if !answer.body.isEmpty {
      write(.data(.init(data: .byteBuffer(ByteBuffer(string: answer.body)), endStream: true)), on: id)
    }
    leaveIfOver()
  }

  private func write(_ payload: HTTP2Frame.FramePayload, on id: HTTP2StreamID) {
    context?.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: nil)
    hasWritten = true
  }

  private func flush() {
    guard hasWritten else { return }
    hasWritten = false
    context?.flush()
  }

  private func allow(_ streams: Int) {
    write(.settings(.settings([HTTP2Setting(parameter: .maxConcurrentStreams, value: streams)])), on: .rootStream)
    flush()
  }

  // MARK: GOAWAY

  private func leave() {
    isLeaving = true
    let unprocessed = requests.keys.filter { $0 > last }
    for id in unprocessed { requests[id] = nil }
    // As bytes: the library would take further streams for errors of the connection, and answer none of the others.
    let reason = Array("{\"reason\":\"Shutdown\"}".utf8)
    var frame = ByteBuffer(bytes: [0, 0, UInt8(8 + reason.count), 7, 0])
    frame.writeInteger(UInt32(0))
    frame.writeInteger(UInt32(Int32(last)))
    frame.writeInteger(UInt32(0))
    frame.writeBytes(reason)
    coalescer.append(frame)
    hasWritten = true
  }

  private func leaveIfOver() {
    guard isLeaving, open == 0, requests.isEmpty, let context else { return }
    flush()
    context.close(promise: nil)
  }
}
