import MPaaSLock
import NIOCore

/// Watches what a client takes: time until its request is there, and bytes of a head.
///
/// Without it a client that sends a byte now and then would hold a connection for ever. Of HTTP/2, a connection has one
/// that waits for streams, and each stream one of its own.
final class ConnectionWatch: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let longestHead: Int
  private let patience, bodyPatience: TimeAmount
  private var context: ChannelHandlerContext?
  private var deadline: NIODeadline?
  /// The last time at which a client that does not take its answer is let go.
  private var end = NIODeadline.distantFuture
  private var streams = 0
  private var check: (task: Scheduled<Void>, time: NIODeadline)?
  /// The bytes that came for a head that is not whole yet; nil while none is waited for.
  private var received: Int?
  /// True where bytes come as they are; else others see to it how long heads are.
  var countsHeads: Bool {
    didSet { received = nil }
  }
  /// The end of the connection where a head is too long.
  var refuse: (() -> Void)?

  init(_ limits: MockLimits, countsHeads: Bool = true) {
    longestHead = limits.head
    patience = .nanoseconds(Int64(limits.patience * 1e9))
    bodyPatience = .nanoseconds(Int64(limits.bodyPatience * 1e9))
    self.countsHeads = countsHeads
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    waitForHead()
  }

  func handlerRemoved(context: ChannelHandlerContext) { stop() }

  func channelInactive(context: ChannelHandlerContext) {
    stop()
    context.fireChannelInactive()
  }

  private func stop() {
    check?.task.cancel()
    (check, deadline, context, refuse) = (nil, nil, nil, nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if let received { self.received = received + unwrapInboundIn(data).readableBytes }
    context.fireChannelRead(data)
    // Whatever was whole of it has been taken by now.
    guard let received, received > longestHead else { return }
    self.received = nil
    if let refuse { refuse() } else { context.close(promise: nil) }
  }

  // MARK: The stages of a request

  /// The next request may come: its head within the patience.
  func waitForHead() {
    received = countsHeads ? 0 : nil
    wait(patience)
  }

  func waitForBody() {
    received = nil
    wait(bodyPatience)
  }

  /// A request that will be refused is read to its end, but not for long.
  func waitForRest() { wait(patience) }

  /// The request is whole: the client waits now.
  func pause() {
    received = nil
    deadline = nil
  }

  // MARK: Streams

  func streamOpened(_ stream: any Channel) {
    streams += 1
    pause()
    let bound = NIOLoopBound(self, eventLoop: stream.eventLoop)
    stream.closeFuture.whenComplete { _ in bound.value.streamClosed() }
  }

  private func streamClosed() {
    streams -= 1
    guard streams == 0 else { return }
    wait(patience)
  }

  // MARK: Time

  private func wait(_ amount: TimeAmount) {
    guard let context else { return }
    let time = context.eventLoop.now + amount
    deadline = time
    end = time + bodyPatience
    // A check that comes before it looks again; so that most requests schedule nothing.
    if let check {
      guard check.time > time else { return }
      check.task.cancel()
    }
    schedule(time)
  }

  private func schedule(_ time: NIODeadline) {
    guard let context else { return }
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    check = (context.eventLoop.scheduleTask(deadline: time) { bound.value.look() }, time)
  }

  private func look() {
    check = nil
    guard let deadline, let context else { return }
    let now = context.eventLoop.now
    if deadline > now { return schedule(deadline) }
    // The last answer is still on its way, over a slow network perhaps.
    guard context.channel.isWritable || end <= now else { return schedule(now + patience) }
    context.close(promise: nil)
  }
}

/// The number of connections that are open.
final class ConnectionCount: Sendable {
  private let most: Int
  private let open = Lock(0)

  init(most: Int) {
    self.most = most
  }

  /// Counts a connection until it is closed.
  ///
  /// - Returns: False where there are as many as there may be.
  func take(_ channel: any Channel) -> Bool {
    let isTaken = open.withLock { open in
      guard open < most else { return false }
      open += 1
      return true
    }
    guard isTaken else { return false }
    channel.closeFuture.whenComplete { _ in self.open.withLock { $0 -= 1 } }
    return true
  }
}
