import NIOCore

/// One direction of a path of datagrams at work on its event loop: the shaper, its one timer and its figures.
final class PacketLink {
  private let direction: Direction
  private let shard: LoopShard
  private let holding: Int
  private let send: (ByteBuffer) -> Void
  private let flush: () -> Void
  private var shaper: PacketShaper
  private var timer: (at: NIODeadline, callback: NIOScheduledCallback)?
  /// The losses of the shaper when it was last asked.
  private var lost: Int64 = 0
  private var isOver = false

  init(
    _ direction: Direction, _ plan: LinkPlan, on shard: LoopShard, holding: Int,
    send: @escaping (ByteBuffer) -> Void, flush: @escaping () -> Void
  ) {
    self.direction = direction
    self.shard = shard
    self.holding = holding
    self.send = send
    self.flush = flush
    shaper = PacketShaper(plan, at: .now())
  }

  var held: Int { shaper.buffered }

  func receive(_ bytes: ByteBuffer, at now: NIODeadline) {
    guard !isOver else { return }
    shard.figures[direction].datagrams += 1
    shard.figures[direction].received += Int64(bytes.readableBytes)
    guard shaper.buffered < holding else {
      shard.figures[direction].lost += 1
      return
    }
    // A copy: the buffer holds all that was read at once.
    shaper.receive(ByteBuffer(bytes: bytes.readableBytesView), at: now)
  }

  func pump() {
    guard !isOver else { return }
    var hasSent = false
    let next = shaper.advance(to: .now()) { bytes in
      hasSent = true
      shard.figures[direction].sent += Int64(bytes.readableBytes)
      send(bytes)
    }
    shard.figures[direction].lost += shaper.lost - lost
    lost = shaper.lost
    if hasSent { flush() }
    wake(at: next)
  }

  func change(to plan: LinkPlan) {
    shaper.change(to: plan, at: .now())
    pump()
  }

  func delayAll(by duration: TimeAmount) {
    shaper.delayAll(by: .nanoseconds(duration.nanoseconds), at: .now())
    pump()
  }

  func cancel() {
    isOver = true
    timer?.callback.cancel()
    timer = nil
  }

  private func wake(at next: NIODeadline?) {
    guard let next, !isOver else { return }
    if let timer {
      if timer.at <= next { return }
      timer.callback.cancel()
    }
    let handler = PacketTimer(link: NIOLoopBound(self, eventLoop: shard.loop))
    timer = (try? shard.loop.scheduleCallback(at: next, handler: handler)).map { (next, $0) }
  }

  fileprivate func fire() {
    timer = nil
    pump()
  }
}

private struct PacketTimer: NIOScheduledCallbackHandler, Sendable {
  let link: NIOLoopBound<PacketLink>

  func handleScheduledCallback(eventLoop: some EventLoop) { link.value.fire() }
}
