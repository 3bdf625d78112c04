import NIOCore

/// One condition of a path of packets.
struct PacketStage {
  enum Effect {
    case delay(DelaySource)
    case lag(Double, Int64)
    case rate(RateLimit)
    case lose(LossModel)
    case flip(Double)
    case double(Double)
    case limit(Int64)
    case loseAll
  }

  /// The fate of a packet.
  enum Fate {
    case passed, held, lost, twice
  }

  struct Item {
    var packet: ByteBuffer
    var due: Int64
    /// The order of arrival: of the packets that are due at the same time, the first that came goes first.
    var number: UInt64
  }

  let name: String
  let condition: Condition
  private var effect: Effect
  private var random: LinkRandom
  /// By time, for what may overtake; a heap.
  private var heap: [Item] = []
  /// In order, for what waits for its turn in a rate.
  private var line = Ring<Item>()
  private(set) var held = 0
  private var number: UInt64 = 0
  private var reserved: Int64?
  private var counted: Int64 = 0

  init?(_ condition: Condition, name: String, seed: UInt64, shared: SharedBucket?) {
    guard let effect = Effect(condition, shared) else { return nil }
    self.name = name
    self.condition = condition
    self.effect = effect
    random = LinkRandom(seed: LinkRandom.seed(seed, LinkRandom.number(of: name), 0x5061))
  }

  var count: Int { heap.count + line.count }

  /// The packets that are held, by their time.
  var packets: [ByteBuffer] {
    heap.sorted { ($0.due, $0.number) < ($1.due, $1.number) }.map(\.packet)
      + (0..<line.count).compactMap { line[$0]?.packet }
  }

  /// Takes a packet that came at `time`; it may be changed.
  mutating func receive(_ packet: inout ByteBuffer, at time: Int64, now: Int64) -> Fate {
    switch effect {
    case .delay(var source):
      let due = LinkTime.sum(time, source.next(&random))
      effect = .delay(source)
      return hold(packet, due: due)
    case .lag(let share, let delay):
      return random.happens(share) ? hold(packet, due: LinkTime.sum(time, delay)) : .passed
    case .rate(let rate): return wait(packet, rate, at: time)
    case .lose(var model):
      let isLost = model.next(&random)
      effect = .lose(model)
      return isLost ? .lost : .passed
    case .flip(let share):
      if random.happens(share) { flip(&packet) }
      return .passed
    case .double(let share): return random.happens(share) ? .twice : .passed
    case .limit(let bytes):
      guard counted < bytes else { return .lost }
      counted += Int64(packet.readableBytes)
      return .passed
    case .loseAll: return .lost
    }
  }

  private mutating func hold(_ packet: ByteBuffer, due: Int64) -> Fate {
    push(packet, due: due)
    return .held
  }

  /// A packet waits in line, unless so much waits already that the line is full.
  private mutating func wait(_ packet: ByteBuffer, _ rate: RateLimit, at time: Int64) -> Fate {
    guard held + packet.readableBytes <= rate.queue else { return .lost }
    held += packet.readableBytes
    line.append(Item(packet: packet, due: time, number: 0))
    return .held
  }

  private mutating func flip(_ packet: inout ByteBuffer) {
    guard packet.readableBytes > 0 else { return }
    let place = packet.readerIndex + random.below(packet.readableBytes)
    guard let byte: UInt8 = packet.getInteger(at: place) else { return }
    packet.setInteger(byte ^ 1 << UInt8(random.below(8)), at: place)
  }

  var nextDue: Int64 {
    if case .rate(let rate) = effect {
      guard let first = line.first, rate.rate > 0 else { return LinkTime.never }
      return reserved ?? first.due
    }
    return heap.first?.due ?? LinkTime.never
  }

  /// Takes the packet that is due next, with the time at which it is.
  mutating func next(upTo limit: Int64, now: Int64) -> (ByteBuffer, Int64)? {
    guard case .rate(var rate) = effect else {
      guard let first = heap.first, first.due <= limit else { return nil }
      return pop()
    }
    guard let first = line.first else { return nil }
    if reserved == nil {
      let due = rate.reserve(first.packet.readableBytes, arrival: first.due, now: now)
      effect = .rate(rate)
      reserved = due == LinkTime.never ? nil : due
    }
    guard let due = reserved, due <= limit else { return nil }
    reserved = nil
    held -= first.packet.readableBytes
    return line.popFirst().map { ($0.packet, due) }
  }
}

// MARK: the heap

extension PacketStage {
  private mutating func push(_ packet: ByteBuffer, due: Int64) {
    held += packet.readableBytes
    number += 1
    heap.append(Item(packet: packet, due: due, number: number))
    var place = heap.count - 1
    while place > 0, isBefore(place, (place - 1) / 2) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func pop() -> (ByteBuffer, Int64)? {
    guard heap.count > 1 else { return heap.popLast().map { taken($0) } }
    heap.swapAt(0, heap.count - 1)
    let item = heap.removeLast()
    var place = 0
    while true {
      var least = place
      for child in 2 * place + 1..<2 * place + 3 where child < heap.count && isBefore(child, least) { least = child }
      if least == place { break }
      heap.swapAt(place, least)
      place = least
    }
    return taken(item)
  }

  private mutating func taken(_ item: Item) -> (ByteBuffer, Int64) {
    held -= item.packet.readableBytes
    return (item.packet, item.due)
  }

  private func isBefore(_ one: Int, _ other: Int) -> Bool {
    (heap[one].due, heap[one].number) < (heap[other].due, heap[other].number)
  }
}

// MARK: changes

extension PacketStage {
  func continues(_ other: PacketStage) -> Bool { name == other.name && condition.kind == other.condition.kind }

  /// Takes over what another counted and drew, but not what it holds.
  mutating func goOn(from other: PacketStage) {
    random = other.random
    counted = other.counted
    number = other.number
    switch (effect, other.effect) {
    case (.delay, .delay) where condition == other.condition: effect = other.effect
    case (.rate(var rate), .rate(let old)):
      rate.take(over: old)
      effect = .rate(rate)
      if condition == other.condition { reserved = other.reserved }
    case (.lose(var model), .lose(let old)):
      model.take(over: old)
      effect = .lose(model)
    default: break
    }
  }

  /// Takes what another holds, each packet for the time that it was to come.
  mutating func restore(from other: PacketStage) {
    takeAll(of: other, movedBy: 0)
  }

  mutating func takeAll(of other: PacketStage, movedBy change: Int64) {
    for item in other.heap { push(item.packet, due: LinkTime.sum(item.due, change)) }
    for index in 0..<other.line.count {
      guard let item = other.line[index] else { continue }
      held += item.packet.readableBytes
      line.append(item)
    }
  }

  var emptied: PacketStage {
    var stage = self
    stage.heap.removeAll()
    stage.line.removeAll()
    stage.held = 0
    return stage
  }

  /// The stage behind all others that `PacketShaper.delayAll` adds.
  var isShift: Bool { name.isEmpty }

  init(shift: Int64) {
    name = ""
    condition = .latency(Latency(.nanoseconds(shift)))
    effect = .delay(DelaySource(Latency(.nanoseconds(shift))))
    random = LinkRandom(seed: 0)
  }
}

extension PacketStage.Effect {
  /// - Returns: nil for a condition that does nothing to packets.
  init?(_ condition: Condition, _ shared: SharedBucket?) {
    switch condition {
    case .latency(let value):
      guard value.delay > .zero || value.jitter > .zero else { return nil }
      self = .delay(DelaySource(value))
    case .bandwidth(let value): self = .rate(RateLimit(value, shared: value.isShared ? shared : nil))
    case .loss(let value):
      guard value.probability > 0 else { return nil }
      self = .lose(LossModel(value))
    case .corruption(let value):
      guard value.probability > 0 else { return nil }
      self = .flip(value.probability)
    case .duplicate(let value):
      guard value.probability > 0 else { return nil }
      self = .double(value.probability)
    case .reorder(let value):
      guard value.probability > 0, value.delay > .zero else { return nil }
      self = .lag(value.probability, value.delay.inNanoseconds)
    case .limitData(let value): self = .limit(max(0, value.bytes))
    case .timeout, .blackout, .flightMode: self = .loseAll
    case .noop, .slicer, .slowClose, .resetPeer, .httpDelay, .httpError, .httpSlowHeaders, .httpTruncatedBody,
      .dnsDelay, .dnsFailure:
      return nil
    }
  }
}
