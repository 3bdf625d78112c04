import NIOCore

/// One client of a DNS proxy over UDP: its datagrams go through the conditions of its link both ways.
final class DNSClient: LiveConnection {
  let number: UInt64
  var onQuery: ([UInt8]) -> Void = { _ in }
  var onAnswer: (ByteBuffer) -> Void = { _ in }
  private(set) var lastUse = NIODeadline.now()
  private let shard: LoopShard
  private let holding: Int
  private var up: PacketLink?
  private var down: PacketLink?

  init(_ address: SocketAddress, number: UInt64, on shard: LoopShard, holding: Int) {
    self.number = number
    self.shard = shard
    self.holding = holding
    let conditions = shard.conditions
    up = PacketLink(.upstream, conditions.plan(.upstream, for: number), on: shard, holding: holding) {
      [unowned self] bytes in
      onQuery(Array(bytes.readableBytesView))
    } flush: {
    }
    down = PacketLink(.downstream, conditions.plan(.downstream, for: number), on: shard, holding: holding) {
      [unowned self] bytes in
      onAnswer(bytes)
    } flush: {
    }
    shard.insert(self)
  }

  func receive(_ query: ByteBuffer) {
    lastUse = .now()
    guard !shard.conditions.isFlightMode(for: number) else {
      shard.figures.upstream.lost += 1
      return
    }
    up?.receive(query, at: lastUse)
    up?.pump()
  }

  func send(_ answer: [UInt8]) {
    lastUse = .now()
    guard !shard.conditions.isFlightMode(for: number) else {
      shard.figures.downstream.lost += 1
      return
    }
    down?.receive(ByteBuffer(bytes: answer), at: lastUse)
    down?.pump()
  }

  func end() {
    up?.cancel()
    down?.cancel()
    shard.remove(self)
  }

  func held(_ direction: Direction) -> Int { (direction == .upstream ? up : down)?.held ?? 0 }

  func apply(_ conditions: ProxyConditions) {
    up?.change(to: conditions.plan(.upstream, for: number))
    down?.change(to: conditions.plan(.downstream, for: number))
  }

  func delayAll(by duration: TimeAmount) {}

  func drop() { end() }
}
