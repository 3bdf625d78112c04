package import NIOCore

/// One direction of a TCP connection under conditions: bytes go in as they come, and come out when they may go on.
///
/// It knows no socket and no clock: whoever holds it says what time it is, so that a test plays an hour in a moment.
/// Not one byte is lost, doubled or put in another place, unless a condition says so (`limitData`, `timeout`,
/// `resetPeer`, `flightMode`, `corruption` with `inStreams`).
///
/// The holder calls `advance` after `init`, `receive`, `end`, `change` and `delayAll`, and again at the time that
/// `advance` returns. It stops to read while `footprint` is above what it wants to hold.
package struct StreamShaper {
  /// The orders to the holder.
  package enum Emission: Equatable {
    case bytes(ByteBuffer)
    /// The sender is done: end this direction (FIN).
    case end
    /// Close both directions.
    case close
    /// Close both directions with a reset.
    case reset
  }

  var stages: [StreamStage]
  /// The items that are through all stages.
  var passing = Ring<StreamItem>()
  /// The delay of everything by `delayAll`; below 0 how much earlier.
  var offset: Int64 = 0
  /// Tells whether the sender has ended.
  private var isEnded = false
  /// Tells whether the connection is closed or reset.
  private(set) var isFinished = false

  package init(_ plan: LinkPlan, at now: NIODeadline) {
    stages = Self.stages(of: plan, at: now.link)
  }

  static func stages(of plan: LinkPlan, at now: Int64) -> [StreamStage] {
    plan.conditions.indices.compactMap { index in
      StreamStage(
        plan.conditions[index], name: plan.names[index], seed: plan.seed, shared: plan.shared[index], at: now)
    }
  }

  /// Bytes that are held.
  package var buffered: Int {
    var sum = 0
    for index in 0..<passing.count { sum += passing[index]?.bytes.readableBytes ?? 0 }
    for index in stages.indices { sum += stages[index].held }
    return sum
  }

  /// The memory that is held, about: the bytes, and what keeping each piece takes.
  package var footprint: Int {
    var pieces = passing.count
    for index in stages.indices { pieces += stages[index].queue.count }
    return buffered + pieces * Self.pieceSize
  }

  private static let pieceSize = 160

  /// Tells whether bytes may pass it by: no condition touches them and none are held.
  package var isTransparent: Bool { stages.isEmpty && passing.isEmpty && !isFinished }

  package mutating func receive(_ bytes: ByteBuffer, at now: NIODeadline) {
    guard !isEnded, !isFinished, bytes.readableBytes > 0 else { return }
    accept(StreamItem(.bytes, bytes.compact, at: now.link))
  }

  /// The sender has ended its direction.
  package mutating func end(at now: NIODeadline) {
    guard !isEnded, !isFinished else { return }
    isEnded = true
    accept(StreamItem(.end, at: now.link))
  }

  private mutating func accept(_ item: StreamItem) {
    if stages.isEmpty { passing.append(item) } else { stages[0].receive(item, at: item.arrival) }
  }

  /// Emits what is due.
  ///
  /// - Parameter emit: Must not call back into the shaper.
  /// - Returns: When there is more to do; nil where nothing waits for a time.
  package mutating func advance(to now: NIODeadline, emit: (Emission) -> Void) -> NIODeadline? {
    guard !isFinished else { return nil }
    let time = now.link
    while let item = passing.popFirst() {
      pass(item, emit)
      if isFinished { return nil }
    }
    var limit = time
    var isReset = false
    for index in stages.indices {
      while let item = stages[index].next(upTo: limit, now: time) {
        if index + 1 < stages.count {
          stages[index + 1].receive(item, at: item.due)
        } else {
          pass(item, emit)
          if isFinished { return nil }
        }
      }
      // Bytes that later conditions let through before the reset still go.
      if stages[index].resetDue <= limit { (limit, isReset) = (stages[index].resetDue, true) }
    }
    if isReset {
      finish()
      emit(.reset)
      return nil
    }
    if offset <= 0, let last = stages.indices.last, stages[last].isShift, stages[last].queue.isEmpty {
      stages.removeLast()
    }
    var next = LinkTime.never
    for index in stages.indices { next = min(next, stages[index].nextDue) }
    return NIODeadline(link: next)
  }

  private mutating func pass(_ item: StreamItem, _ emit: (Emission) -> Void) {
    switch item.kind {
    case .bytes: emit(.bytes(item.bytes))
    case .end: emit(.end)
    case .close:
      finish()
      emit(.close)
    }
  }

  private mutating func finish() {
    isFinished = true
    stages.removeAll()
    passing.removeAll()
  }
}

extension ByteBuffer {
  /// The bytes without the room around them, where that is much more than they are.
  fileprivate var compact: ByteBuffer {
    guard storageCapacity > 4096, readableBytes < storageCapacity / 8 else { return self }
    var copy = ByteBuffer()
    copy.writeImmutableBuffer(self)
    return copy
  }
}
