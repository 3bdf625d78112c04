package import NIOCore

extension StreamShaper {
  /// Puts what comes, and what is held, under other conditions; the order stays.
  ///
  /// A condition that the new plan has unchanged goes on as it was, to the nanosecond; one with other settings keeps
  /// what it counted, and what it holds is reckoned anew from when it came. What a removed condition held goes to the
  /// next. A removed time-out closes the connection, as toxiproxy's does.
  package mutating func change(to plan: LinkPlan, at now: NIODeadline) {
    guard !isFinished else { return }
    let time = now.link
    let old = stages
    stages = Self.stages(of: plan, at: time)
    if offset > 0, let shift = old.last, shift.isShift { stages.append(shift.emptied) }
    let places = old.map { stage in stages.firstIndex { $0.continues(stage) } }
    for (stage, place) in zip(old, places) {
      if let place { stages[place].goOn(from: stage, at: time) }
    }
    // From the stage that holds the oldest bytes to that with the newest; none may overtake.
    var bound = stages.count
    for index in old.indices.reversed() {
      let own = places[index] ?? places[..<index].reduce(0) { max($0, ($1 ?? -1) + 1) }
      bound = min(bound, own)
      move(old[index], to: bound, keeping: places[index] == bound, at: time)
    }
    setTrim()
  }

  private mutating func move(_ stage: StreamStage, to place: Int, keeping: Bool, at time: Int64) {
    for index in 0..<stage.queue.count {
      guard let item = stage.queue[index] else { continue }
      if keeping {
        stages[place].restore(item, from: stage)
      } else {
        put(item, in: place, at: time)
      }
    }
    if !keeping, case .swallow = stage.effect, stages.allSatisfy({ !$0.continues(stage) }) {
      put(StreamItem(.close, at: time), in: place, at: time)
    }
  }

  private mutating func put(_ item: StreamItem, in place: Int, at time: Int64) {
    if place < stages.count { stages[place].receive(item, at: time) } else { passing.append(item) }
  }

  /// Moves all that is held, and the holder's later bytes with it, by `duration`: later, or earlier where negative.
  ///
  /// Earlier is never before it came, and makes up for no more than what a latency delays.
  package mutating func delayAll(by duration: Duration, at now: NIODeadline) {
    guard !isFinished else { return }
    let before = offset
    offset = LinkTime.sum(offset, duration.inNanoseconds)
    let latency = stages.reduce(Int64(0)) { max($0, $1.isShift ? 0 : $1.longestDelay) }
    offset = max(offset, min(before, -latency, 0))
    shift(from: max(before, 0), to: max(offset, 0), at: now.link)
    let change = max(-offset, 0) - max(-before, 0)
    let held = min(LinkTime.sum(duration.inNanoseconds, max(before, 0)), 0)
    for index in stages.indices where !stages[index].isShift {
      stages[index].move(by: duration < .zero ? held : -change, notBefore: now.link)
    }
    setTrim()
  }

  /// The stage behind all others that delays by what `delayAll` says.
  private mutating func shift(from old: Int64, to new: Int64, at now: Int64) {
    guard old != new else { return }
    if let last = stages.last, last.isShift, new == 0, last.queue.isEmpty {
      stages.removeLast()
    } else if let last = stages.last, last.isShift {
      stages[stages.count - 1] = last.shifted(by: new - old, to: new, at: now)
    } else if let stage = StreamStage(shift: new, at: now) {
      stages.append(stage)
      while let item = passing.popFirst() { stages[stages.count - 1].receive(item, at: now) }
    }
  }

  /// The first latency takes off what is earlier.
  private mutating func setTrim() {
    var trim = max(-offset, 0)
    for index in stages.indices {
      if case .delay = stages[index].effect, !stages[index].isShift {
        stages[index].trim = trim
        trim = 0
      }
    }
  }
}
