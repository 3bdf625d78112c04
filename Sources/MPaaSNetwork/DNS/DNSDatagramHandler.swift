import NIOCore
import NIOPosix

/// The socket of UDP that clients ask: each client's datagrams go through its conditions, each question to a server.
final class DNSDatagramHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  typealias OutboundOut = AddressedEnvelope<ByteBuffer>

  private struct Pending {
    var query: DNSQuery
    let client: DNSClient
    /// The server that is asked now.
    var server: Int
    var timer: Scheduled<Void>?
    /// The answer, once it is here, and when it may go.
    var answer: [UInt8]?
    var due: NIODeadline?
    var hasAnswer = false
  }

  /// The number of questions that may be on their way, and of clients that may be known.
  private static let mostPending = 16_384
  private static let mostClients = 10_000

  private let service: DNSService
  private let table: ConnectionTable
  private let shard: LoopShard
  private var context: ChannelHandlerContext?
  private var sockets: [Int: any Channel] = [:]
  private var pending: [UInt16: Pending] = [:]
  private var clients: [SocketAddress: DNSClient] = [:]
  private var sweep: RepeatedTask?

  init(_ service: DNSService, _ table: ConnectionTable, on shard: LoopShard) {
    self.service = service
    self.table = table
    self.shard = shard
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let handler = NIOLoopBound(self, eventLoop: shard.loop)
    sweep = shard.loop.scheduleRepeatedTask(initialDelay: .seconds(30), delay: .seconds(30)) { _ in
      handler.value.dropIdle()
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    sweep?.cancel()
    for one in pending.values { one.timer?.cancel() }
    pending = [:]
    for client in clients.values { client.end() }
    clients = [:]
    for socket in sockets.values { socket.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {}

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let envelope = unwrapInboundIn(data)
    client(envelope.remoteAddress)?.receive(envelope.data)
  }

  private func client(_ address: SocketAddress) -> DNSClient? {
    if let known = clients[address] { return known }
    guard clients.count < Self.mostClients else { return nil }
    let client = DNSClient(address, number: table.nextNumber(), on: shard, holding: service.environment.holding)
    client.onQuery = { [unowned self, unowned client] bytes in ask(bytes, client) }
    client.onAnswer = { [unowned self] bytes in
      context?.writeAndFlush(wrapOutboundOut(AddressedEnvelope(remoteAddress: address, data: bytes)), promise: nil)
    }
    clients[address] = client
    return client
  }

  private func dropIdle() {
    let oldest = NIODeadline.now() - .seconds(60)
    for (address, client) in clients where client.lastUse < oldest {
      client.end()
      clients[address] = nil
    }
  }

  // MARK: Questions

  private func ask(_ bytes: [UInt8], _ client: DNSClient) {
    shard.figures.requests += 1
    let message: DNSMessage
    do { message = try DNSMessage(bytes) } catch {
      if let answer = error.response.flatMap({ DNSMessage.answer($0, to: bytes) }) { client.send(answer) }
      return
    }
    guard !message.isResponse, let id = freeNumber() else { return }
    let plan = service.plan(message, client: client.number)
    pending[id] = Pending(query: DNSQuery(message: message, bytes: bytes, plan: plan), client: client, server: 0)
    if let failure = plan.failure {
      answer(id, failure.response.flatMap { DNSMessage.answer($0, to: bytes) })
    } else {
      forward(id)
    }
  }

  private func freeNumber() -> UInt16? {
    guard pending.count < Self.mostPending else { return nil }
    // Not to be guessed, so that no other process can answer in the server's place.
    while true {
      let id = UInt16.random(in: 0...(.max))
      if pending[id] == nil { return id }
    }
  }

  private func forward(_ id: UInt16) {
    guard let one = pending[id] else { return }
    guard one.server < service.servers.count else {
      shard.figures.failedConnections += 1
      return answer(id, DNSMessage.answer(.serverFailure, to: one.query.bytes))
    }
    pending[id]?.timer = after(DNSService.patience) { $0.next(id, after: one.server) }
    if let socket = sockets[one.server] { return send(id, to: socket) }
    let (server, handler) = (one.server, NIOLoopBound(self, eventLoop: shard.loop))
    DatagramBootstrap(group: shard.loop).channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(DNSServerHandler(handler.value, server))
      }
    }.connect(to: service.servers[server]).assumeIsolated().whenComplete { result in
      switch result {
      case .success(let channel):
        if let other = handler.value.sockets[server] {
          channel.close(promise: nil)
          handler.value.send(id, to: other)
        } else if handler.value.context == nil {
          channel.close(promise: nil)
        } else {
          handler.value.sockets[server] = channel
          handler.value.send(id, to: channel)
        }
      case .failure: handler.value.next(id, after: server)
      }
    }
  }

  private func send(_ id: UInt16, to socket: any Channel) {
    guard let one = pending[id], let address = socket.remoteAddress else { return }
    let bytes = ByteBuffer(bytes: one.query.bytes.numbered(id))
    socket.writeAndFlush(AddressedEnvelope(remoteAddress: address, data: bytes), promise: nil)
  }

  /// The server does not answer: the next is asked.
  private func next(_ id: UInt16, after server: Int) {
    guard let one = pending[id], one.server == server, !one.hasAnswer else { return }
    one.timer?.cancel()
    pending[id]?.server += 1
    forward(id)
  }

  // MARK: Answers

  /// A datagram of a server.
  func receive(_ bytes: [UInt8], from server: Int) {
    guard let message = try? DNSMessage(bytes), let one = pending[message.id], one.server == server, !one.hasAnswer,
      one.query.message.isAnswered(by: message)
    else { return }
    answer(message.id, bytes.numbered(one.query.message.id))
  }

  /// There is no listener.
  func fail(_ server: Int) {
    for (id, one) in pending where one.server == server && !one.hasAnswer { next(id, after: server) }
  }

  /// - Parameter bytes: nil where no answer comes.
  private func answer(_ id: UInt16, _ bytes: [UInt8]?) {
    guard let one = pending[id] else { return }
    pending[id]?.answer = bytes
    pending[id]?.hasAnswer = true
    pending[id]?.due = .now() + one.query.hold
    settle(id)
  }

  private func settle(_ id: UInt16) {
    guard let one = pending[id], one.hasAnswer, let due = one.due else { return }
    one.timer?.cancel()
    guard due <= .now() else {
      pending[id]?.timer = after(due - .now()) { $0.settle(id) }
      return
    }
    pending[id] = nil
    service.ended(one.query, one.answer)
    if let answer = one.answer { one.client.send(answer) }
  }

  func delayAll(by amount: TimeAmount) {
    for id in Array(pending.keys) {
      guard let due = pending[id]?.due else {
        let before = pending[id]?.query.shift ?? .zero
        pending[id]?.query.shift = before + amount
        continue
      }
      pending[id]?.due = max(.now(), due + amount)
      settle(id)
    }
  }

  private func after(_ time: TimeAmount, _ body: @escaping (DNSDatagramHandler) -> Void) -> Scheduled<Void> {
    shard.loop.assumeIsolated().scheduleTask(in: time) { [weak self] in
      if let self { body(self) }
    }
  }
}

/// The datagrams of one server.
private final class DNSServerHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>

  private let owner: DNSDatagramHandler
  private let server: Int

  init(_ owner: DNSDatagramHandler, _ server: Int) {
    self.owner = owner
    self.server = server
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    owner.receive(Array(unwrapInboundIn(data).data.readableBytesView), from: server)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { owner.fail(server) }
}

extension [UInt8] {
  /// A message with another number; it has a header.
  func numbered(_ id: UInt16) -> [UInt8] { [UInt8(id >> 8), UInt8(id & 0xff)] + dropFirst(2) }
}
