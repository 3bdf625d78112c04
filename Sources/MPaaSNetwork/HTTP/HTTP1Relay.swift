import NIOCore

/// A client's HTTP/1.1 connection and the one of its own that it has to the upstream, both on one event loop.
///
/// Requests and replies are led on as the bytes that they came as; only their ends are found, so that each reply can
/// be put under the conditions of its request. Replies keep the order of their requests.
final class HTTP1Relay {
  enum Upstream {
    case none, connecting, ended
    case connected(ChannelHandlerContext)
  }

  enum Requests {
    case head
    case body(HTTP1Body, isForwarded: Bool)
    /// Tells whether the connection becomes another protocol's is for the upstream to say.
    case waiting
    case tunnel
    /// Input is thrown away.
    case refused
  }

  enum Replies {
    case head
    case body(HTTP1Body)
    case tunnel
  }

  /// Bytes that may wait in one direction before its sender is made to wait.
  static let holding = 1 << 18
  /// Requests without a reply before the client is made to wait.
  static let pipeline = 64

  let service: HTTPService
  /// The lowest handler of the client's channel, which holds bytes as the conditions of the link say.
  let shaping: ShapingHandler
  let shard: LoopShard
  var loop: any EventLoop { shard.loop }
  var client: ChannelHandlerContext?
  var upstream = Upstream.none
  var exchanges: [HTTP1Exchange] = []
  var requests = Requests.head
  var replies = Replies.head
  /// Bytes of a head that has not come whole.
  var requestBytes = ByteBuffer()
  var replyBytes = ByteBuffer()
  /// The number of them that were looked at.
  var requestSeen = 0
  var replySeen = 0
  /// The bytes that wait for the connection to the upstream.
  var unsent = CircularBuffer<ByteBuffer>()
  var unsentBytes = 0
  var heldBytes = 0
  var clientWaits = false
  var upstreamWaits = false
  var clientHasEnded = false
  var upstreamWasReset = false
  var isEnding = false
  var isReadingRequests = false
  private var timer: Scheduled<Void>?
  private var timerDue: NIODeadline?

  init(_ service: HTTPService, _ shaping: ShapingHandler, on shard: LoopShard) {
    self.service = service
    self.shaping = shaping
    self.shard = shard
  }

  // MARK: The replies that are due

  /// Sends what is due, in the order of the requests, and sets the clock for what is not.
  func pump() {
    let now = NIODeadline.now()
    var hasWritten = false
    defer { if hasWritten { client?.flush() } }
    while let first = exchanges.first {
      guard let due = first.due else { return }
      while let part = exchanges[0].next(at: now) {
        heldBytes -= part.readableBytes
        write(part)
        hasWritten = true
      }
      let exchange = exchanges[0]
      guard exchange.held.isEmpty, due <= now else {
        if let due = exchange.due { wake(at: due) }
        break
      }
      guard exchange.isComplete else { break }
      exchanges.removeFirst()
      if hasWritten { client?.flush() }
      hasWritten = false
      finish(exchange, at: now)
    }
    resumeUpstream()
  }

  /// Moves all that waits now, later or earlier.
  ///
  /// - Returns: Whether there was a request in flight.
  func delayAll(by amount: TimeAmount) -> Bool {
    guard !exchanges.isEmpty else { return false }
    let now = NIODeadline.now()
    for index in exchanges.indices { exchanges[index].delay(by: amount, at: now) }
    pump()
    return true
  }

  private func finish(_ exchange: HTTP1Exchange, at now: NIODeadline) {
    service.ended(
      HTTPRequestRecord(
        method: exchange.method, target: exchange.target, status: exchange.status, duration: now - exchange.began,
        toxics: exchange.plan.toxics, isCut: exchange.isCut, version: "1.1", connection: shaping.number))
    if exchange.isCut {
      upstreamWasReset ? resetClient() : closeClient()
    } else if case .tunnel = replies {
      client?.close(mode: .output, promise: nil)
      if clientHasEnded { closeClient() }
    } else if exchange.closes && exchange.isLocal || isOver {
      endClient()
    } else {
      resumeClient()
    }
  }

  /// Tells whether no reply will come any more, and none is asked for.
  private var isOver: Bool {
    guard exchanges.isEmpty else { return false }
    if case .ended = upstream { return true }
    return clientHasEnded
  }

  private func wake(at due: NIODeadline) {
    if let timerDue, timerDue == due { return }
    timer?.cancel()
    timerDue = due
    timer = loop.assumeIsolated().scheduleTask(deadline: due) {
      self.timer = nil
      self.timerDue = nil
      self.pump()
    }
  }

  // MARK: The ends of connections

  func write(_ bytes: ByteBuffer) {
    client?.write(NIOAny(bytes), promise: nil)
  }

  /// Ends the connection so that the last reply arrives though the client may still send.
  func endClient() {
    guard !isEnding, let client else { return }
    isEnding = true
    requests = .refused
    closeUpstream()
    if clientHasEnded {
      client.close(promise: nil)
      return
    }
    let promise = loop.makePromise(of: Void.self)
    promise.futureResult.assumeIsolated().whenComplete { result in
      // The bytes that a slow link still held have left by now.
      guard case .success = result else { return self.closeClient() }
      self.loop.assumeIsolated().scheduleTask(in: .seconds(1)) { self.closeClient() }
    }
    client.close(mode: .output, promise: promise)
    resumeClient()
  }

  func closeClient() {
    isEnding = true
    client?.close(promise: nil)
    closeUpstream()
  }

  func resetClient() {
    guard let client else { return }
    client.channel.resetWhenClosed()
    closeClient()
  }

  func closeUpstream() {
    let before = upstream
    upstream = .ended
    if case .connected(let context) = before { context.close(promise: nil) }
  }

  /// The client is gone: nothing is held for it any longer.
  func clientIsGone() {
    timer?.cancel()
    client = nil
    exchanges.removeAll()
    unsent.removeAll()
    closeUpstream()
  }

  // MARK: Back-pressure

  var mayReadClient: Bool {
    if case .waiting = requests { return false }
    if case .refused = requests { return true }
    guard unsentBytes < Self.holding, exchanges.count < Self.pipeline else { return false }
    if case .connected(let context) = upstream { return context.channel.isWritable }
    return true
  }

  var mayReadUpstream: Bool {
    heldBytes < Self.holding && !shaping.isFull && (client?.channel.isWritable ?? true)
  }

  func resumeClient() {
    if requestBytes.readableBytes > 0 { readRequests() }
    guard clientWaits, mayReadClient else { return }
    clientWaits = false
    client?.read()
  }

  func resumeUpstream() {
    guard upstreamWaits, mayReadUpstream, case .connected(let context) = upstream else { return }
    upstreamWaits = false
    context.read()
  }
}
