/// The messages to one controller that wait for their turn.
struct MessageLane {
  /// None once the controller is detached.
  var handlers: MessageHandlers
  let limit: Int
  /// The line that attached the controller.
  let place: SourcePlace?
  /// The number of handlers that have begun and not returned.
  var running = 0
  private(set) var waiting = MessageLine()

  init(handlers: MessageHandlers, limit: Int, place: SourcePlace?) {
    self.handlers = handlers
    self.limit = limit
    self.place = place
  }

  mutating func append(_ record: MessageRecord) { waiting.append(record) }

  /// Puts a waiting message before the others.
  mutating func bringForward(_ id: UInt64) { waiting.bringForward(id) }

  /// Takes out the messages whose turn it is; nothing overtakes a message that is held.
  ///
  /// - Returns: Those to begin, and those that were over before their turn came.
  mutating func next(isHeld: (MessageRecord) -> Bool) -> (begin: [MessageRecord], over: [MessageRecord]) {
    var (begin, over) = ([MessageRecord](), [MessageRecord]())
    while let first = waiting.first {
      if first.outcome != nil {
        over.append(first)
      } else if running < limit, !isHeld(first) {
        running += 1
        begin.append(first)
      } else {
        break
      }
      waiting.removeFirst()
    }
    return (begin, over)
  }
}

/// First in, first out.
struct MessageLine {
  private var records: [MessageRecord] = []
  private var start = 0

  var isEmpty: Bool { start == records.count }
  var first: MessageRecord? { isEmpty ? nil : records[start] }
  var all: ArraySlice<MessageRecord> { records[start...] }

  mutating func append(_ record: MessageRecord) { records.append(record) }

  mutating func removeFirst() {
    start += 1
    guard start > 32, start * 2 > records.count else { return }
    records.removeFirst(start)
    start = 0
  }

  mutating func bringForward(_ id: UInt64) {
    guard let index = records[start...].firstIndex(where: { $0.id == id }) else { return }
    records.insert(records.remove(at: index), at: start)
  }
}
