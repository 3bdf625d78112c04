import NIOCore
import NIOHTTPTypes

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Ends a connection whose client has said nothing for a time while it was listened to, has read nothing of what was
/// written to it for a time, or reads that more slowly than a least rate.
///
/// The time does not run while the server itself has stopped reading, since what came before is not yet on the disk: a
/// client is not to blame for that. The client of an answer that came before the end of its request has a few seconds
/// to finish the request.
final class IdleConnection: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// The time that the rest of a request may take that is answered already.
  private static let restTime = TimeAmount.seconds(5)

  private var patience: TimeAmount
  private let connections: Connections?
  private var pace: AnswerPace
  /// Since when nothing was said, without the time in which nothing was read: bytes that make no part of a message say
  /// nothing.
  private var quietSince = NIODeadline.now()
  /// Since when nothing is read; nil while the client is listened to.
  private var pausedSince: NIODeadline? = .now()
  /// The time when bytes last went out, or none waited to go.
  private var wroteAt = NIODeadline.now()
  /// Bytes that waited to go out at the last look.
  private var unsent = 0
  private var isRequestRead = true
  private var answersDue = 0
  /// The time when the rest of an answered request has to be there.
  private var restDue: NIODeadline?
  private var look: Scheduled<Void>?

  /// - Parameters:
  ///   - leastRate: Bytes a second at which an answer has to be read.
  ///   - connections: Those whose reserve has less patience.
  init(_ patience: TimeAmount, leastRate: Int = 0, _ connections: Connections? = nil) {
    self.patience = patience
    self.connections = connections
    pace = AnswerPace(rate: leastRate, patience: patience)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { begin(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    begin(context)
    context.fireChannelActive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { look?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    look?.cancel()
    context.fireChannelInactive()
  }

  /// Counts the time in which nothing was said from a moment before this handler was there.
  func count(from begin: NIODeadline) { quietSince = min(quietSince, begin) }

  func read(context: ChannelHandlerContext) {
    if let paused = pausedSince { quietSince = quietSince + (.now() - paused) }
    pausedSince = nil
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      isRequestRead = false
      answersDue += 1
    case .body: break
    case .end:
      isRequestRead = true
      restDue = nil
    }
    quietSince = .now()
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    // The handlers behind this one ask for more, now or when there is room.
    if pausedSince == nil { pausedSince = .now() }
    context.fireChannelReadComplete()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { wroteAt = .now() }
    context.fireChannelWritabilityChanged()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head: break
    case .body(let bytes): pace.write(bytes.readableBytes)
    case .end:
      answersDue -= 1
      quietSince = .now()
      if pausedSince != nil { pausedSince = .now() }
      if answersDue == 0, !isRequestRead {
        restDue = .now() + Self.restTime
        schedule(context, at: .now() + Self.restTime)
      }
    }
    context.write(data, promise: promise)
  }

  private func begin(_ context: ChannelHandlerContext) {
    if connections?.isReserved(context.channel) ?? false { patience = min(patience, Connections.reservePatience) }
    schedule(context, at: .now() + interval)
  }

  /// Between two looks.
  private var interval: TimeAmount { .nanoseconds(max(patience.nanoseconds / 4, 1_000_000)) }

  private func schedule(_ context: ChannelHandlerContext, at time: NIODeadline) {
    look?.cancel()
    look = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { [self] in
      let now = NIODeadline.now()
      if isOver(context, now) { return end(context) }
      var next = now + interval
      for due in [restDue, quietSince + patience] { if let due, due > now { next = min(next, due) } }
      schedule(context, at: next)
    }
  }

  /// Closes the connection; the system does not keep unread bytes either.
  private func end(_ context: ChannelHandlerContext) {
    if unsent > 0, let socket = context.channel as? any SocketOptionProvider {
      socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in }
    }
    context.close(promise: nil)
  }

  /// Says whether the client has had its time.
  private func isOver(_ context: ChannelHandlerContext, _ now: NIODeadline) -> Bool {
    let waiting = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    if waiting == 0 || waiting < unsent { wroteAt = now }
    unsent = waiting
    if let restDue, now >= restDue { return true }
    if pace.isTooSlow(waiting: waiting, at: now) { return true }
    if waiting > 0 { return now - wroteAt >= patience }
    let isListening = pausedSince == nil && (!isRequestRead || answersDue == 0)
    return isListening && now - quietSince >= patience
  }
}
