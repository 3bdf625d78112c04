package import NIOCore

/// The destination of a link's bytes.
package protocol ShapedLinkSink: AnyObject {
  /// Bytes are due; a flush follows when all that is due has come.
  func pass(_ bytes: ByteBuffer, _ direction: Direction)
  func flush(_ direction: Direction)
  /// The direction has come to its end.
  func finish(_ direction: Direction)
  /// Both directions are to be closed, after what has come already.
  func close(_ direction: Direction)
  /// Both directions are to be reset.
  func reset(_ direction: Direction)
}

/// One direction of a connection at work on its event loop: the shaper, its one timer and its figures.
package final class ShapedLink {
  package let direction: Direction
  private let shard: LoopShard
  private weak var sink: (any ShapedLinkSink)?
  private var shaper: StreamShaper
  private var timer: (at: NIODeadline, callback: NIOScheduledCallback)?
  private var arrivals = Arrivals()
  private var emissions: [StreamShaper.Emission] = []
  private var endsWithReset = false
  private var isPumping = false
  private var isPumpedAgain = false
  private var isOver = false

  package init(_ direction: Direction, plan: LinkPlan, on shard: LoopShard, to sink: any ShapedLinkSink) {
    self.direction = direction
    self.shard = shard
    self.sink = sink
    shaper = StreamShaper(plan, at: .now())
  }

  /// Bytes that are held.
  package var held: Int { shaper.buffered }
  /// The memory that they take, about.
  package var footprint: Int { shaper.footprint }

  /// Takes bytes of the sender.
  ///
  /// - Returns: Whether they went on already and only a flush is wanting; else `pump` sends what is due.
  package func receive(_ bytes: ByteBuffer) -> Bool {
    guard !isOver else { return true }
    let count = Int64(bytes.readableBytes)
    shard.figures[direction].received += count
    if shaper.isTransparent && !isPumping {
      shard.figures[direction].sent += count
      shard.figures[direction].delays[0] += 1
      sink?.pass(bytes, direction)
      return true
    }
    let now = NIODeadline.now()
    arrivals.add(bytes.readableBytes, at: now)
    shaper.receive(bytes, at: now)
    return false
  }

  /// The sender has ended its direction, or has reset the connection: what it sent before goes on first.
  package func end(withReset: Bool = false) {
    guard !isOver else { return }
    endsWithReset = endsWithReset || withReset
    shaper.end(at: .now())
    pump()
  }

  package func change(to plan: LinkPlan) {
    guard !isOver else { return }
    shaper.change(to: plan, at: .now())
    pump()
  }

  package func delayAll(by duration: TimeAmount) {
    guard !isOver else { return }
    shaper.delayAll(by: .nanoseconds(duration.nanoseconds), at: .now())
    pump()
  }

  /// Nothing comes out of it any more.
  package func cancel() {
    isOver = true
    timer?.callback.cancel()
    timer = nil
  }

  /// Sends on what is due, and sets the timer for the rest.
  package func pump() {
    guard !isOver else { return }
    guard !isPumping else {
      // Bytes that came meanwhile are not among those that `advance` told of.
      isPumpedAgain = true
      return
    }
    isPumping = true
    var next: NIODeadline?
    repeat {
      isPumpedAgain = false
      let now = NIODeadline.now()
      // Gathered first: what the sink does may come back here while the shaper is still at it.
      next = shaper.advance(to: now) { emissions.append($0) }
      deliver(at: now)
    } while isPumpedAgain && !isOver
    isPumping = false
    guard !isOver else { return }
    if shaper.buffered == 0 { arrivals.clear() }
    wake(at: next)
  }

  private func deliver(at now: NIODeadline) {
    guard !emissions.isEmpty else { return }
    var due: [StreamShaper.Emission] = []
    swap(&due, &emissions)
    var hasBytes = false
    for emission in due where !isOver {
      switch emission {
      case .bytes(let bytes):
        shard.figures[direction].sent += Int64(bytes.readableBytes)
        arrivals.take(bytes.readableBytes) { shard.figures[direction].count(heldFor: now - $0) }
        sink?.pass(bytes, direction)
        hasBytes = true
      case .end where endsWithReset: sink?.reset(direction)
      case .end: sink?.finish(direction)
      case .close: sink?.close(direction)
      case .reset: sink?.reset(direction)
      }
    }
    if hasBytes { sink?.flush(direction) }
    due.removeAll(keepingCapacity: true)
    swap(&due, &emissions)
  }

  private func wake(at next: NIODeadline?) {
    guard let next else { return }
    if let timer {
      if timer.at <= next { return }
      timer.callback.cancel()
    }
    let handler = LinkTimer(link: NIOLoopBound(self, eventLoop: shard.loop))
    timer = (try? shard.loop.scheduleCallback(at: next, handler: handler)).map { (next, $0) }
  }

  fileprivate func fire() {
    timer = nil
    pump()
  }
}

private struct LinkTimer: NIOScheduledCallbackHandler, Sendable {
  let link: NIOLoopBound<ShapedLink>

  func handleScheduledCallback(eventLoop: some EventLoop) { link.value.fire() }
}

/// The arrival times of the bytes that are held, for the figures.
private struct Arrivals {
  private var waiting: [(bytes: Int, at: NIODeadline)] = []
  private var head = 0

  mutating func add(_ bytes: Int, at now: NIODeadline) { waiting.append((bytes, now)) }

  /// Takes the oldest bytes and says when the last of them came.
  mutating func take(_ bytes: Int, _ body: (NIODeadline) -> Void) {
    var left = bytes
    var last: NIODeadline?
    while left > 0, head < waiting.count {
      let part = min(left, waiting[head].bytes)
      left -= part
      waiting[head].bytes -= part
      last = waiting[head].at
      if waiting[head].bytes == 0 { head += 1 }
    }
    if let last { body(last) }
    guard head > 64, head * 2 > waiting.count else { return }
    waiting.removeFirst(head)
    head = 0
  }

  mutating func clear() {
    waiting.removeAll(keepingCapacity: waiting.count < 1024)
    head = 0
  }
}

extension ProxyStatistics {
  package subscript(direction: Direction) -> Traffic {
    get { direction == .upstream ? upstream : downstream }
    _modify {
      switch direction {
      case .upstream: yield &upstream
      case .downstream: yield &downstream
      }
    }
  }
}
