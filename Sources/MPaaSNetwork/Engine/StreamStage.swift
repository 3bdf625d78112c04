import NIOCore

/// One condition of a stream: what comes in is held until it is due, in the order in which it came.
///
/// Times are those at which things are due, not those at which somebody looked: so delays do not add up the lateness of
/// timers, and the same bytes at the same times come out the same way however often the holder asks.
struct StreamStage {
  /// The effect of a condition, in the engine's units.
  enum Effect {
    case delay(DelaySource)
    case rate(RateLimit)
    case stall(LossModel)
    /// Share of the segments of which a bit is flipped.
    case flip(Double)
    /// Share of the segments that come late, and how late.
    case lag(Double, Int64)
    case slice(size: Int, variation: Int, pause: Int64)
    case limit(Int64)
    case slowEnd(Int64)
    /// 0 for never.
    case swallow(closing: Int64)
    case reset(after: Int64)
    case hold
    case flightMode
  }

  /// The payload of a full TCP segment on Ethernet, with timestamps.
  static let segment = 1448

  let name: String
  let condition: Condition
  var effect: Effect
  var random: LinkRandom
  var queue = Ring<StreamItem>()
  /// Bytes in the queue.
  var held = 0
  /// Nothing leaves before.
  var last = Int64.min
  /// The rest of the segment is still to come, and of it the place of the bit that is to be flipped.
  var segmentRest = 0
  var flipAt: Int?
  /// The place in the schedule that was taken: so many bytes, and when they are through.
  var reserved: (bytes: Int, due: Int64)?
  /// The reserved bytes that are through and not yet out.
  var credit = 0
  /// Bytes that passed, for a limit.
  var counted: Int64 = 0
  /// Tells whether it takes nothing more, since a close is on its way.
  var isClosed = false
  /// The time when it closes or resets the connection.
  var verdict = LinkTime.never
  /// The time by which delays are shortened by `StreamShaper.delayAll`.
  var trim: Int64 = 0

  /// - Returns: nil for a condition that does nothing to a stream.
  init?(_ condition: Condition, name: String, seed: UInt64, shared: SharedBucket?, at now: Int64) {
    guard let effect = Effect(condition, shared) else { return nil }
    self.name = name
    self.condition = condition
    self.effect = effect
    random = LinkRandom(seed: LinkRandom.seed(seed, LinkRandom.number(of: name), 0x5747))
    if case .swallow(let closing) = effect, closing > 0 { verdict = LinkTime.sum(now, closing) }
  }

  mutating func append(_ item: StreamItem) {
    held += item.bytes.readableBytes
    queue.append(item)
  }

  /// Appends an item that is due at `due`, or when all before it are.
  mutating func append(_ item: StreamItem, due: Int64) {
    var item = item
    last = max(last, due)
    item.due = last
    append(item)
  }

  mutating func popFirst() -> StreamItem? {
    guard let item = queue.popFirst() else { return nil }
    held -= item.bytes.readableBytes
    return item
  }
}

extension StreamStage.Effect {
  init?(_ condition: Condition, _ shared: SharedBucket?) {
    switch condition {
    case .latency(let value):
      guard value.delay > .zero || value.jitter > .zero else { return nil }
      self = .delay(DelaySource(value))
    case .bandwidth(let value): self = .rate(RateLimit(value, shared: value.isShared ? shared : nil))
    case .loss(let value):
      guard value.probability > 0 else { return nil }
      self = .stall(LossModel(value))
    case .corruption(let value):
      guard value.probability > 0 else { return nil }
      self = value.inStreams ? .flip(value.probability) : .stall(LossModel(Loss(value.probability)))
    case .reorder(let value):
      guard value.probability > 0, value.delay > .zero else { return nil }
      self = .lag(value.probability, value.delay.inNanoseconds)
    case .slicer(let value):
      guard value.averageSize > 0 else { return nil }
      let variation = min(max(value.sizeVariation, 0), value.averageSize - 1)
      self = .slice(size: value.averageSize, variation: variation, pause: max(0, value.delay.inNanoseconds))
    case .limitData(let value): self = .limit(max(0, value.bytes))
    case .slowClose(let value):
      guard value.delay > .zero else { return nil }
      self = .slowEnd(value.delay.inNanoseconds)
    case .timeout(let value): self = .swallow(closing: max(0, value.timeout.inNanoseconds))
    case .resetPeer(let value): self = .reset(after: max(0, value.timeout.inNanoseconds))
    case .blackout: self = .hold
    case .flightMode: self = .flightMode
    case .noop, .duplicate, .httpDelay, .httpError, .httpSlowHeaders, .httpTruncatedBody, .dnsDelay, .dnsFailure:
      return nil
    }
  }
}
