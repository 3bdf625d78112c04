import MPaaSLock
import MPaaSTime

/// Wakes the queue when messages run out of time: one task sleeps, until the earliest deadline.
final class MessageDeadlines: Sendable {
  let clock: MonotonicClock
  private let state = Lock(State())

  private struct Entry {
    let deadline: TimeSpan
    let record: MessageRecord
  }

  private struct State {
    /// A binary heap, the earliest first; a message that is over stays until it comes up or the heap is swept.
    var heap: [Entry] = []
    var over = 0
    var sleeper: Task<Void, Never>?
    var wakes: TimeSpan?
    var expire: (@Sendable (MessageRecord) -> Void)?
  }

  init(clock: MonotonicClock) {
    self.clock = clock
  }

  deinit {
    state.withLock { $0.sleeper }?.cancel()
  }

  /// - Parameter expire: Called with each message whose time is over.
  func begin(_ expire: @escaping @Sendable (MessageRecord) -> Void) {
    state.withLock { $0.expire = expire }
  }

  /// Lets the time of a message begin now.
  func arm(_ record: MessageRecord) {
    guard let timeout = record.timeout else { return }
    let deadline = clock.now() + timeout
    record.deadline = deadline
    state.withLock { state in
      push(Entry(deadline: deadline, record: record), &state.heap)
      sleep(&state)
    }
  }

  /// A message that was armed is over.
  func disarm(_ record: MessageRecord) {
    guard record.timeout != nil, record.deadline != nil else { return }
    record.deadline = nil
    state.withLock { state in
      state.over += 1
      guard state.over > 64, state.over * 2 > state.heap.count else { return }
      let left = state.heap.filter { $0.record.deadline == $0.deadline }
      state.heap = []
      for entry in left { push(entry, &state.heap) }
      state.over = 0
    }
  }

  private func sleep(_ state: inout State) {
    guard let first = state.heap.first, state.wakes.map({ first.deadline < $0 }) ?? true else { return }
    state.sleeper?.cancel()
    state.wakes = first.deadline
    state.sleeper = Task { [weak self, clock] in
      guard (try? await clock.sleep(first.deadline)) != nil else { return }
      self?.wake()
    }
  }

  private func wake() {
    let now = clock.now()
    let (due, expire) = state.withLock { state in
      var due: [MessageRecord] = []
      while let first = state.heap.first, first.deadline <= now {
        pop(&state.heap)
        if first.record.deadline == first.deadline { due.append(first.record) } else { state.over -= 1 }
      }
      state.over = max(0, state.over)
      (state.sleeper, state.wakes) = (nil, nil)
      sleep(&state)
      return (due, state.expire)
    }
    for record in due {
      record.deadline = nil
      expire?(record)
    }
  }

  private func push(_ entry: Entry, _ heap: inout [Entry]) {
    heap.append(entry)
    var index = heap.count - 1
    while index > 0, heap[index].deadline < heap[(index - 1) / 2].deadline {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private func pop(_ heap: inout [Entry]) {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var index = 0
    while true {
      let least = [index * 2 + 1, index * 2 + 2].filter { $0 < heap.count }.min {
        heap[$0].deadline < heap[$1].deadline
      }
      guard let least, heap[least].deadline < heap[index].deadline else { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}
