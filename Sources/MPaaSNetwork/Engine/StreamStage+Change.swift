import NIOCore

extension StreamStage {
  /// Tells whether it is the same condition of the same toxic as another, maybe with other settings.
  func continues(_ other: StreamStage) -> Bool { name == other.name && condition.kind == other.condition.kind }

  /// It without what it holds.
  var emptied: StreamStage {
    var stage = self
    stage.queue.removeAll()
    stage.held = 0
    return stage
  }

  /// Takes over what another counted and drew, but not what it holds.
  mutating func goOn(from other: StreamStage, at now: Int64) {
    random = other.random
    segmentRest = other.segmentRest
    flipAt = other.flipAt
    counted = other.counted
    isClosed = other.isClosed
    guard condition != other.condition else {
      (effect, last, verdict) = (effect.goingOn(from: other.effect, isSame: true), other.last, other.verdict)
      (reserved, credit) = (other.reserved, other.credit)
      return
    }
    effect = effect.goingOn(from: other.effect, isSame: false)
    // A reset that was on its way comes by the new time.
    if case .reset(let pause) = effect, other.verdict != LinkTime.never { verdict = LinkTime.sum(now, pause) }
    if isClosed, case .swallow = effect { verdict = LinkTime.never }
  }

  /// Takes back what it held before a change of plan.
  mutating func restore(_ item: StreamItem, from old: StreamStage) {
    guard condition != old.condition else { return append(item) }
    switch effect {
    case .delay: receive(item, at: item.arrival)
    case .slowEnd where item.kind != .bytes: receive(item, at: item.arrival)
    case .stall(let model) where model.isTotal: append(item, due: LinkTime.never)
    case .stall, .lag, .slowEnd: append(item, due: item.arrival)
    default: append(item)
    }
  }

  /// Moves what it holds in time.
  mutating func move(by duration: Int64, notBefore now: Int64) {
    guard duration != 0 else { return }
    switch effect {
    case .delay, .stall, .lag, .slowEnd: break
    default: return
    }
    for index in 0..<queue.count {
      guard var item = queue[index], item.due != LinkTime.never else { continue }
      // An item that is due already stays where it is, so that the order of times is kept.
      item.due = max(LinkTime.sum(item.due, duration), min(item.due, now))
      queue[index] = item
    }
    if last != .min, last != LinkTime.never { last = max(LinkTime.sum(last, duration), min(last, now)) }
  }

  /// The longest delay that a latency gives, without the tail of its distribution.
  var longestDelay: Int64 {
    guard case .latency(let value) = condition else { return 0 }
    return LinkTime.sum(value.delay.inNanoseconds, value.jitter.inNanoseconds)
  }

  // MARK: the stage that `delayAll` adds

  private static let shiftName = ""

  var isShift: Bool { name == Self.shiftName }

  init?(shift: Int64, at now: Int64) {
    self.init(
      .latency(Latency(.nanoseconds(shift))), name: Self.shiftName, seed: 0, shared: nil, at: now)
  }

  /// The stage with another delay, and what it holds moved by the difference.
  func shifted(by change: Int64, to shift: Int64, at now: Int64) -> StreamStage {
    var stage = self
    stage.move(by: change, notBefore: now)
    guard let new = StreamStage(shift: shift, at: now) else {
      stage.effect = .delay(DelaySource(Latency(.zero)))
      return stage
    }
    stage.effect = new.effect
    return stage
  }
}

extension StreamStage.Effect {
  /// The effect with what another of its kind has drawn and scheduled.
  fileprivate func goingOn(from other: Self, isSame: Bool) -> Self {
    switch (self, other) {
    case (.delay, .delay) where isSame: return other
    case (.rate(var rate), .rate(let old)):
      rate.take(over: old)
      return .rate(rate)
    case (.stall(var model), .stall(let old)):
      model.take(over: old)
      return .stall(model)
    default: return self
    }
  }
}
