import MPaaSPush
import NIOCore
import NIOHPACK
import NIOHTTP2

extension PushConnection {
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.payload {
    case .headers(let headers): receive(headers, on: frame.streamID)
    case .data(let data): receive(data, on: frame.streamID)
    case .rstStream(let code): receive(reset: code, on: frame.streamID)
    case .settings(.settings(let settings)): receive(settings)
    case .goAway(let last, _, let reason): receive(goAway: last, reason)
    default: break
    }
  }

  private func receive(_ headers: HTTP2Frame.FramePayload.Headers, on id: HTTP2StreamID) {
    guard streams[id] != nil else { return }
    for (name, value, _) in headers.headers {
      switch name {
      case ":status": streams[id]?.answer.status = Int(value) ?? 0
      case "apns-id": streams[id]?.answer.id = value
      case "retry-after": streams[id]?.answer.retryAfter = value
      default: break
      }
    }
    if headers.endStream { answered(id) }
  }

  /// The most bytes of a body that are kept: answers that matter are shorter.
  private static var bodyLimit: Int { 64 << 10 }

  private func receive(_ data: HTTP2Frame.FramePayload.Data, on id: HTTP2StreamID) {
    unacknowledged += data.data.readableBytes + (data.paddingBytes.map { $0 + 1 } ?? 0)
    guard let held = streams[id]?.answer.body.count else { return }
    if case .byteBuffer(let bytes) = data.data, held + bytes.readableBytes <= Self.bodyLimit {
      streams[id]?.answer.body += bytes.readableBytesView
    }
    if data.endStream { answered(id) }
  }

  /// Lets the server send as many bytes again as were received.
  func acknowledge() {
    guard unacknowledged >= 16 << 10, let context else { return }
    let frame = HTTP2Frame(
      streamID: .rootStream, payload: .windowUpdate(windowSizeIncrement: unacknowledged))
    unacknowledged = 0
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }

  private func answered(_ id: HTTP2StreamID) {
    guard let stream = streams.removeValue(forKey: id) else { return }
    answers += 1
    settle(stream.job, provider.verdict(on: stream.answer))
    if isRetired { closeIfOver() }
  }

  private func settle(_ job: PushJob, _ verdict: PushVerdict) {
    switch verdict {
    case .final(let outcome): queue.finish(job, outcome)
    case .later(let failure, let after):
      queue.refuse(job, failure, retryAfter: after, pausesAll: false, at: .now())
    case .pause(let failure, let after):
      queue.refuse(job, failure, retryAfter: after, pausesAll: true, at: .now())
    case .renew(let failure):
      if queue.hold(for: job, failure) { renew() }
    case .stop(let failure):
      queue.finish(job, .failed(failure))
      queue.end(with: .failed(failure))
    }
  }

  private func receive(reset code: HTTP2ErrorCode, on id: HTTP2StreamID) {
    guard let stream = streams.removeValue(forKey: id) else { return }
    // A refused stream was not processed (RFC 9113, section 8.7); one that is refused each time ends.
    if code == .refusedStream {
      let failure = PushFailure(status: 0, reason: "RefusedStream")
      queue.retry(stream.job, failure, retryAfter: nil, pausesAll: false, at: .now())
    } else {
      queue.finish(stream.job, .unknown("StreamReset"))
    }
    if isRetired { closeIfOver() }
  }

  private func receive(_ settings: HTTP2Settings) {
    for setting in settings where setting.parameter == .maxConcurrentStreams { allowed = setting.value }
  }

  /// Streams above the last one were not processed (RFC 9113, section 6.8); the others may still be answered.
  private func receive(goAway last: HTTP2StreamID, _ reason: ByteBuffer?) {
    retire()
    let unprocessed = streams.keys.filter { $0 > last }.sorted(by: >)
    for id in unprocessed {
      if let stream = streams.removeValue(forKey: id) { queue.giveBack(stream.job) }
    }
    closeIfOver()
  }
}
