import MPaaSPush
import MPaaSSupport
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOTLS

/// The sender's end of a connection: it takes jobs as the server's limits allow, and tells their outcomes.
///
/// It works on frames, without a channel for each stream, which would cost more than the rest.
final class PushConnection: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame
  typealias OutboundOut = HTTP2Frame

  /// The limits of a connection.
  struct Limits: Sendable {
    /// The most streams that are open at a time, whatever the server allows.
    var streams = 1000
    /// The time after which an unanswered notification counts as unknown.
    var patience = TimeAmount.seconds(30)
  }

  /// A notification that was sent and not answered.
  struct Stream {
    let job: PushJob
    let sent: NIODeadline
    var answer = PushAnswer()
  }

  let queue: PushQueue
  let provider: any PushProvider
  private let authority: String
  private let limits: Limits
  private let ready: EventLoopPromise<Void>
  /// The number of answers, as soon as the connection takes no more jobs.
  private let retired: EventLoopPromise<Int>
  private let coalescer: WriteCoalescer
  var context: ChannelHandlerContext?
  var streams: [HTTP2StreamID: Stream] = [:]
  private var nextStream = HTTP2StreamID(1)
  /// The number of streams that the server lets be open.
  var allowed = 100 { didSet { barred = allowed > 0 ? nil : barred ?? .now() } }
  /// The time since which the server lets no stream be open.
  private var barred: NIODeadline?
  var answers = 0
  /// Bytes of bodies that were received and not yet told to the server.
  var unacknowledged = 0
  private(set) var isReady = false
  private(set) var isRetired = false
  private var isClosing = false
  private var listener: Int?
  private var timer: Scheduled<Void>?
  private var watch: RepeatedTask?

  init(
    _ queue: PushQueue, _ provider: any PushProvider, authority: String, limits: Limits, coalescer: WriteCoalescer,
    ready: EventLoopPromise<Void>, retired: EventLoopPromise<Int>
  ) {
    self.queue = queue
    self.provider = provider
    self.authority = authority
    self.limits = limits
    self.coalescer = coalescer
    self.ready = ready
    self.retired = retired
  }

  // MARK: The life of a connection

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted(let chosen)? = event as? TLSUserEvent {
      if chosen == "h2" { begin(context) } else { fail(context, PushConnectionFailure.noHTTP2) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  private func begin(_ context: ChannelHandlerContext) {
    isReady = true
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    listener = queue.listen { bound.eventLoop.execute { bound.value.pump() } }
    let loop = context.eventLoop
    let step = TimeAmount.nanoseconds(max(limits.patience.nanoseconds / 4, 5_000_000))
    watch = loop.scheduleRepeatedTask(initialDelay: step, delay: step) { _ in bound.value.endOverdue() }
    ready.succeed()
    pump()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // An error of one stream ends that stream by itself.
    if error is NIOHTTP2Errors.StreamError || error is NIOHTTP2Errors.NoSuchStream { return }
    fail(context, error)
  }

  private func fail(_ context: ChannelHandlerContext, _ error: any Error) {
    ready.fail(error)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  private func end() {
    ready.fail(ChannelError.eof)
    retire()
    context = nil
    watch?.cancel()
    watch = nil
    let left = streams.values
    streams = [:]
    for stream in left { queue.finish(stream.job, .unknown("ConnectionClosed")) }
  }

  /// Takes no more jobs from now on.
  func retire() {
    guard !isRetired else { return }
    isRetired = true
    if let listener { queue.unlisten(listener) }
    timer?.cancel()
    retired.succeed(answers)
    closeIfOver()
  }

  /// Closes a connection that has nothing to do any more.
  func closeIfOver() {
    guard isRetired, !isClosing, streams.isEmpty, let context else { return }
    isClosing = true
    let goodbye = HTTP2Frame(
      streamID: .rootStream, payload: .goAway(lastStreamID: .rootStream, errorCode: .noError, opaqueData: nil))
    context.writeAndFlush(wrapOutboundOut(goodbye), promise: nil)
    context.close(promise: nil)
  }

  private func endOverdue() {
    let limit = NIODeadline.now() - limits.patience
    // Jobs would wait for such a server for ever.
    if let barred, barred < limit { retire() }
    let overdue = streams.filter { $0.value.sent < limit }
    guard !overdue.isEmpty else { return }
    for (id, stream) in overdue {
      streams[id] = nil
      queue.finish(stream.job, .unknown("NoAnswer"))
    }
    // A server that keeps silent once is not waited for again.
    retire()
    context?.close(promise: nil)
  }

  // MARK: Sending

  func channelReadComplete(context: ChannelHandlerContext) {
    acknowledge()
    pump()
    context.fireChannelReadComplete()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    pump()
    context.fireChannelWritabilityChanged()
  }

  /// The number of streams that may be open: one until the first answer, by which the server has taken the credential.
  private var room: Int { answers == 0 ? min(1, allowed) : min(allowed, limits.streams) }

  /// Sends as many jobs as there is room for.
  func pump() {
    guard isReady, !isRetired, let context, context.channel.isWritable else { return }
    coalescer.together { fill(context, NIODeadline.now()) }
  }

  private func fill(_ context: ChannelHandlerContext, _ now: NIODeadline) {
    while streams.count < room {
      switch queue.next(at: now) {
      case .job(let job): send(job, context, now)
      case .wait(let due): return wait(until: due, context)
      case .done: return retire()
      }
    }
  }

  private func wait(until due: NIODeadline?, _ context: ChannelHandlerContext) {
    timer?.cancel()
    guard let due else { return }
    timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { self.pump() }
  }

  private func send(_ job: PushJob, _ context: ChannelHandlerContext, _ now: NIODeadline) {
    let head: HPACKHeaders
    do throws(PushError) {
      head = try provider.head(for: job, authority: authority)
    } catch {
      return queue.finish(job, .unsent(error.diagnostic.id.description))
    }
    let id = nextStream
    streams[id] = Stream(job: job, sent: now)
    context.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: .headers(.init(headers: head)))), promise: nil)
    let body = HTTP2Frame.FramePayload.Data(data: .byteBuffer(provider.body(for: job)), endStream: true)
    // Flushed one by one, or bodies would follow the heads in any order, and GOAWAY would find all of them begun.
    context.writeAndFlush(wrapOutboundOut(HTTP2Frame(streamID: id, payload: .data(body))), promise: nil)
    nextStream = id.advanced(by: 2)
    // No number is left for a further one (RFC 9113, section 5.1.1).
    if Int32(id) >= Int32.max - 4 { retire() }
  }

  /// Gets a new credential; jobs wait for it.
  func renew() {
    let (provider, queue) = (provider, queue)
    Task {
      try? await provider.renew()
      queue.release()
    }
  }
}

/// The reason why a connection cannot be used, where the system has no words for it.
enum PushConnectionFailure: Error, CustomStringConvertible {
  case noHTTP2

  var description: String { "the server does not speak HTTP/2" }
}
