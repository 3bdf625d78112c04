package import NIOCore

/// One direction of a path of datagrams or IP packets under conditions.
///
/// It knows no socket and no clock; packets may be lost, doubled, changed and come in another order, as told.
///
/// The holder calls `advance` after `receive`, `change` and `delayAll`, and again at the time that `advance` returns.
package struct PacketShaper {
  private var stages: [PacketStage]
  private var passing = Ring<ByteBuffer>()
  /// The delay of everything by `delayAll`.
  private var offset: Int64 = 0
  /// Packets that were lost on purpose.
  package private(set) var lost: Int64 = 0

  package init(_ plan: LinkPlan, at now: NIODeadline) {
    stages = Self.stages(of: plan)
  }

  private static func stages(of plan: LinkPlan) -> [PacketStage] {
    plan.conditions.indices.compactMap { index in
      PacketStage(plan.conditions[index], name: plan.names[index], seed: plan.seed, shared: plan.shared[index])
    }
  }

  /// Bytes that are held.
  package var buffered: Int {
    var sum = 0
    for index in 0..<passing.count { sum += passing[index]?.readableBytes ?? 0 }
    for index in stages.indices { sum += stages[index].held }
    return sum
  }

  /// Packets that are held.
  package var count: Int { stages.reduce(passing.count) { $0 + $1.count } }

  /// Tells whether packets may pass it by: no condition touches them and none are held.
  package var isTransparent: Bool { stages.isEmpty && passing.isEmpty }

  package mutating func receive(_ packet: ByteBuffer, at now: NIODeadline) {
    enter(packet, 0, at: now.link, now: now.link)
  }

  /// Takes a packet through the stages from one on, until a stage holds it.
  private mutating func enter(_ packet: ByteBuffer, _ first: Int, at time: Int64, now: Int64) {
    var packet = packet
    for index in first..<stages.count {
      switch stages[index].receive(&packet, at: time, now: now) {
      case .passed: continue
      case .held: return
      case .lost:
        lost += 1
        return
      case .twice: enter(packet, index + 1, at: time, now: now)
      }
    }
    passing.append(packet)
  }

  /// Emits the packets that are due.
  ///
  /// - Parameter emit: Must not call back into the shaper.
  /// - Returns: When there is more to do; nil where nothing waits.
  package mutating func advance(to now: NIODeadline, emit: (ByteBuffer) -> Void) -> NIODeadline? {
    let time = now.link
    while let packet = passing.popFirst() { emit(packet) }
    for index in stages.indices {
      while let (packet, due) = stages[index].next(upTo: time, now: time) {
        enter(packet, index + 1, at: due, now: time)
        while let packet = passing.popFirst() { emit(packet) }
      }
    }
    var next = LinkTime.never
    for index in stages.indices { next = min(next, stages[index].nextDue) }
    return NIODeadline(link: next)
  }

  /// Puts what comes under other conditions.
  ///
  /// Packets held by conditions that stay come when they were to come; those held by removed ones go to the next.
  package mutating func change(to plan: LinkPlan, at now: NIODeadline) {
    let time = now.link
    let old = stages
    stages = Self.stages(of: plan)
    if offset > 0, let shift = old.last, shift.isShift { stages.append(shift.emptied) }
    let places = old.map { stage in stages.firstIndex { $0.continues(stage) } }
    for (stage, place) in zip(old, places) {
      if let place { stages[place].goOn(from: stage) }
    }
    for index in old.indices.reversed() {
      if let place = places[index] {
        stages[place].restore(from: old[index])
      } else {
        let next = places[..<index].reduce(0) { max($0, ($1 ?? -1) + 1) }
        for packet in old[index].packets { enter(packet, next, at: time, now: time) }
      }
    }
  }

  /// Moves all that is held, and what comes later, by `duration`: later, or earlier again by what was made later.
  package mutating func delayAll(by duration: Duration, at now: NIODeadline) {
    let before = offset
    offset = max(0, LinkTime.sum(offset, duration.inNanoseconds))
    var stage = PacketStage(shift: offset)
    if let last = stages.last, last.isShift {
      stage.takeAll(of: last, movedBy: offset - before)
      stages.removeLast()
    }
    if offset > 0 || stage.count > 0 { stages.append(stage) }
  }
}
