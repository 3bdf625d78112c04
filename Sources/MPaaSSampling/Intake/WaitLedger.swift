/// The times at which threads left their processors and came back, from records that come roughly in order.
struct WaitLedger {
  /// A thing that happened to a thread.
  struct Event {
    enum Kind {
      /// The place where it is about to leave its processor.
      case place(stack: Int)
      case out(isPreempted: Bool)
      case back
      case end
    }

    let time: UInt64
    let thread: Int32
    let kind: Kind
  }

  /// A time without a processor.
  struct Wait: Equatable {
    let thread: Int32
    let start: UInt64
    let end: UInt64
    /// The number of the stack; nil where it was not sampled.
    let stack: Int?
    let isPreempted: Bool
  }

  private struct Absence {
    let start: UInt64
    let stack: Int?
    let isPreempted: Bool
    /// Tells whether it was found, and had begun before anything was told.
    var isFound = false
  }

  private var events: [Event] = []
  private var places: [Int32: Int] = [:]
  private var absent: [Int32: Absence] = [:]

  mutating func add(_ event: Event) { events.append(event) }

  /// Takes a thread for one that waits from a time on.
  mutating func begin(_ thread: Int32, at time: UInt64, stack: Int?) {
    absent[thread] = Absence(start: time, stack: stack, isPreempted: false, isFound: true)
  }

  /// Settles what happened before a time, by which all of it has come; the waits that ended.
  mutating func settle(before limit: UInt64) -> [Wait] {
    events.sort { $0.time < $1.time }
    let count = events.firstIndex { $0.time >= limit } ?? events.count
    let waits = events[..<count].compactMap { apply($0) }
    events.removeFirst(count)
    return waits
  }

  /// Ends all waits at a time.
  mutating func finish(at time: UInt64) -> [Wait] {
    let waits = settle(before: .max)
    let open = absent.sorted { $0.key < $1.key }.compactMap { wait(of: $0.key, $0.value, until: time) }
    absent = [:]
    return waits + open
  }

  private mutating func apply(_ event: Event) -> Wait? {
    switch event.kind {
    case .place(let stack): places[event.thread] = stack
    case .out(let isPreempted):
      // A thread that was found to wait has gone on before its return was told, and waits again where it did.
      let found = absent.removeValue(forKey: event.thread).flatMap { $0.isFound ? $0 : nil }
      let place = places.removeValue(forKey: event.thread)
      absent[event.thread] = Absence(
        start: event.time, stack: isPreempted ? place : place ?? found?.stack, isPreempted: isPreempted)
      return found.flatMap { wait(of: event.thread, $0, until: event.time) }
    case .back:
      guard let absence = absent.removeValue(forKey: event.thread) else { return nil }
      return wait(of: event.thread, absence, until: event.time)
    case .end:
      // A thread that has ended leaves its processor for good.
      absent[event.thread] = nil
      places[event.thread] = nil
    }
    return nil
  }

  private func wait(of thread: Int32, _ absence: Absence, until time: UInt64) -> Wait? {
    guard time > absence.start else { return nil }
    return Wait(
      thread: thread, start: absence.start, end: time, stack: absence.stack, isPreempted: absence.isPreempted)
  }
}
