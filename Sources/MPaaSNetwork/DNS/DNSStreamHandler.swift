import NIOCore
import NIOPosix

/// One connection of TCP: questions with their lengths before them (RFC 7766), led on over a connection of its own.
final class DNSStreamHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Upstream {
    case none
    case connecting
    case connected(any Channel)
  }

  /// The number of questions that may be on their way on one connection.
  private static let mostPending = 1024

  private let service: DNSService
  private let shaping: ShapingHandler
  private let shard: LoopShard
  private var context: ChannelHandlerContext?
  private var upstream = Upstream.none
  private var bytes = ByteBuffer()
  private var queries: [UInt16: DNSQuery] = [:]
  private var unsent: [[UInt8]] = []
  /// Answers that wait, and when they may go.
  private var held: [(due: NIODeadline, query: DNSQuery, answer: [UInt8]?)] = []
  private var clientHasEnded = false

  init(_ service: DNSService, _ shaping: ShapingHandler, on shard: LoopShard) {
    self.service = service
    self.shaping = shaping
    self.shard = shard
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func channelInactive(context: ChannelHandlerContext) {
    self.context = nil
    if case .connected(let channel) = upstream { channel.close(promise: nil) }
    held = []
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event {
      clientHasEnded = true
      closeWhenDone()
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var part = unwrapInboundIn(data)
    bytes.writeBuffer(&part)
    while let query = bytes.readDNSMessage() { ask(query) }
    bytes.discardReadBytes()
  }

  private func ask(_ query: [UInt8]) {
    shard.figures.requests += 1
    let message: DNSMessage
    do { message = try DNSMessage(query) } catch {
      if let answer = error.response.flatMap({ DNSMessage.answer($0, to: query) }) {
        write(answer)
      } else {
        context?.close(promise: nil)
      }
      return
    }
    guard !message.isResponse, queries[message.id] == nil, queries.count < Self.mostPending else {
      context?.close(promise: nil)
      return
    }
    let plan = service.plan(message, client: shaping.number)
    let one = DNSQuery(message: message, bytes: query, plan: plan)
    queries[message.id] = one
    if let failure = plan.failure {
      answer(message.id, failure.response.flatMap { DNSMessage.answer($0, to: query) })
    } else {
      forward(query)
    }
  }

  // MARK: The server

  private func forward(_ query: [UInt8]) {
    switch upstream {
    case .connected(let channel): channel.writeAndFlush(ByteBuffer(dnsMessage: query), promise: nil)
    case .connecting: unsent.append(query)
    case .none:
      unsent.append(query)
      upstream = .connecting
      connect(0)
    }
  }

  private func connect(_ server: Int) {
    guard server < service.servers.count else {
      shard.figures.failedConnections += 1
      return upstreamEnded()
    }
    let handler = NIOLoopBound(self, eventLoop: shard.loop)
    ClientBootstrap(group: shard.loop).connectTimeout(DNSService.patience).channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(DNSStreamServerHandler(handler.value))
      }
    }.connect(to: service.servers[server]).assumeIsolated().whenComplete { result in
      let this = handler.value
      switch result {
      case .success(let channel):
        guard this.context != nil else { return channel.close(promise: nil) }
        this.upstream = .connected(channel)
        for query in this.unsent { channel.write(ByteBuffer(dnsMessage: query), promise: nil) }
        this.unsent = []
        channel.flush()
      case .failure: this.connect(server + 1)
      }
    }
  }

  func receive(_ message: [UInt8]) {
    guard let head = try? DNSMessage(message), let query = queries[head.id], query.message.isAnswered(by: head) else {
      return
    }
    answer(head.id, message)
  }

  /// The server is gone: what it has not answered has failed.
  func upstreamEnded() {
    upstream = .none
    unsent = []
    for (id, query) in queries where query.plan.failure == nil {
      answer(id, DNSMessage.answer(.serverFailure, to: query.bytes))
    }
  }

  // MARK: Answers

  private func answer(_ id: UInt16, _ answer: [UInt8]?) {
    guard let query = queries.removeValue(forKey: id) else { return }
    held.append((.now() + query.hold, query, answer))
    settle()
  }

  private func settle() {
    let now = NIODeadline.now()
    for one in held where one.due <= now {
      service.ended(one.query, one.answer)
      if let answer = one.answer { write(answer) }
    }
    held.removeAll { $0.due <= now }
    if let next = held.map(\.due).min() {
      shard.loop.assumeIsolated().scheduleTask(deadline: next) { [weak self] in self?.settle() }
    }
    closeWhenDone()
  }

  private func closeWhenDone() {
    if clientHasEnded, queries.isEmpty, held.isEmpty { context?.close(promise: nil) }
  }

  private func write(_ answer: [UInt8]) {
    context?.writeAndFlush(wrapOutboundOut(ByteBuffer(dnsMessage: answer)), promise: nil)
  }

  func delayAll(by amount: TimeAmount) {
    for (id, query) in queries { queries[id]?.shift = query.shift + amount }
    let now = NIODeadline.now()
    held = held.map { (max(now, $0.due + amount), $0.query, $0.answer) }
    settle()
  }
}

/// The server's end.
private final class DNSStreamServerHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let owner: DNSStreamHandler
  private var bytes = ByteBuffer()

  init(_ owner: DNSStreamHandler) { self.owner = owner }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var part = unwrapInboundIn(data)
    bytes.writeBuffer(&part)
    while let message = bytes.readDNSMessage() { owner.receive(message) }
    bytes.discardReadBytes()
  }

  func channelInactive(context: ChannelHandlerContext) { owner.upstreamEnded() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension ByteBuffer {
  /// A message behind its length.
  fileprivate init(dnsMessage message: [UInt8]) {
    self.init()
    writeInteger(UInt16(truncatingIfNeeded: message.count))
    writeBytes(message)
  }

  fileprivate mutating func readDNSMessage() -> [UInt8]? {
    guard let length = getInteger(at: readerIndex, as: UInt16.self), readableBytes >= 2 + Int(length) else {
      return nil
    }
    moveReaderIndex(forwardBy: 2)
    return readBytes(length: Int(length))
  }
}
