import NIOCore

/// Reads the opening of a client's stream, then hands the channel to a relay to where it leads.
///
/// The opening itself is between the client and the proxy and meets no conditions.
final class OpeningHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The greatest time and size of a client's opening.
  private static let patience = TimeAmount.seconds(30)
  private static let limit = 1 << 17

  private let number: UInt64
  private let shard: LoopShard
  private let environment: ProxyEnvironment
  private var opening: any StreamOpening
  private var bytes = ByteBuffer()
  private var context: ChannelHandlerContext?
  private var deadline: Scheduled<Void>?
  private var isDone = false

  init(
    _ opening: any StreamOpening, number: UInt64, on shard: LoopShard, in environment: ProxyEnvironment
  ) {
    self.opening = opening
    self.number = number
    self.shard = shard
    self.environment = environment
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    shard.insert(self)
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    if shard.conditions.isFlightMode(for: number) { refuse([], "flight mode", reset: true) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { leave() }

  func channelInactive(context: ChannelHandlerContext) {
    leave()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var new = unwrapInboundIn(data)
    guard !isDone else { return context.fireChannelRead(data) }
    bytes.writeBuffer(&new)
    while !isDone {
      switch opening.read(&bytes) {
      case .more:
        if bytes.readableBytes > Self.limit { refuse([], "the opening is too long") }
        return
      case .answer(let answer): context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer)), promise: nil)
      case .refuse(let answer, let reason): refuse(answer, reason)
      case .lead(let target): lead(target)
      }
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if !isDone, case .inputClosed? = event as? ChannelEvent { return context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if isDone { context.fireErrorCaught(error) } else { context.close(promise: nil) }
  }

  private func refuse(_ answer: [UInt8], _ reason: String, reset: Bool = false) {
    isDone = true
    shard.figures.failedConnections += 1
    environment.events.note(
      .connectionFailed, shard.figures.proxy, ["connection": String(number), "reason": reason])
    guard let context else { return }
    if reset { context.channel.resetWhenClosed() }
    if !answer.isEmpty { context.write(wrapOutboundOut(ByteBuffer(bytes: answer)), promise: nil) }
    context.flush()
    context.closeWhenSent(.all, nil)
  }

  private func lead(_ target: OpeningTarget) {
    guard let context else { return }
    isDone = true
    var early = target.first.isEmpty ? [] : [ByteBuffer(bytes: target.first)]
    if bytes.readableBytes > 0 { early.append(bytes) }
    let channel = context.channel
    let relay = Relay(channel, number: number, on: shard, in: environment, early: early)
    leave()
    try? relay.begin(isNew: false)
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
    let name = ResolutionConditions(shard.conditions, connection: number, name: target.address)
    if let failure = name.failure { return relay.refuse(failure, target) }
    guard name.delay > .zero else { return relay.dial(target) }
    let bound = NIOLoopBound(relay, eventLoop: shard.loop)
    shard.loop.scheduleTask(in: TimeAmount(name.delay)) { bound.value.dial(target) }
  }

  private func leave() {
    deadline?.cancel()
    deadline = nil
    guard context != nil else { return }
    context = nil
    shard.remove(self)
  }
}

extension Relay {
  /// Connects to where the client wants to go, and tells it so.
  func dial(_ target: OpeningTarget) {
    dial(Dialer(target.address)) { [unowned self] result in
      switch result {
      case .success: answer(target.success)
      case .failure(let error): answer(error.isRefusal ? target.refused : target.failed)
      }
    }
  }

  fileprivate func refuse(_ reason: String, _ target: OpeningTarget) {
    fail(reason)
    answer(target.failed)
    drop(whenSent: true)
  }
}

extension OpeningHandler: LiveConnection {
  func held(_ direction: Direction) -> Int { bytes.readableBytes }

  func apply(_ conditions: ProxyConditions) {
    if conditions.isFlightMode(for: number) { refuse([], "flight mode", reset: true) }
  }

  func delayAll(by duration: TimeAmount) {}

  func drop() { context?.close(promise: nil) }
}
