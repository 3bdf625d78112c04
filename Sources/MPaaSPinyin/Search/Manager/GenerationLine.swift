import MPaaSLock

/// States that follow one another while others read: every state has a number, its generation, and who reads keeps the
/// state that was handed out.
///
/// Changes are made one at a time in the order in which they were asked for, each in a task of its own; who reads waits
/// for those that were asked for before. What has not begun when a replacement is asked for is left out. What has begun
/// is brought to its end, so that readers are answered even where somebody replaces without a pause.
final class GenerationLine<Contents: Sendable>: Sendable {
  /// A state and its number.
  struct Settled: Sendable {
    let generation: Int
    let contents: Contents
  }

  /// Makes the next state from the one before it.
  typealias Work = @Sendable (Settled) async throws -> Contents

  /// A change in the line.
  private struct Change: Sendable {
    let generation: Int
    let owner: PinyinSearchOwner?
    let work: Work
    /// Resolved with the generation that holds the change.
    let promise: Promise<Int>
    /// Promises of the changes that were left out for this one.
    var leftOut: [Promise<Int>] = []

    func resolve(_ result: Result<Int, any Error>) {
      for promise in leftOut + [promise] { promise.resolve(result) }
    }
  }

  /// One who reads, from the call to the end.
  private final class Reader: Sendable {
    let owner: PinyinSearchOwner?
    let settled = Promise<Settled>()
    let isCancelled = AtomicFlag(false)

    init(owner: PinyinSearchOwner?) { self.owner = owner }

    func cancel() {
      isCancelled.store(true)
      settled.resolve(.failure(CancellationError()))
    }

    /// Tells whether its answer is not wanted any more.
    var isOver: Bool { Task.isCancelled || isCancelled.load() }

    func check() throws {
      if isOver { throw CancellationError() }
    }
  }

  private struct State {
    var settled: Settled
    var lastGeneration = 0
    var lastReader = 0
    var running: (change: Change, task: Task<Void, Never>?)?
    var queue: [Change] = []
    var readers: [Int: Reader] = [:]
    /// Those of the readers who wait, and for which generation.
    var waiting: [Int: Int] = [:]

    /// The first generation that is asked for and not there.
    var firstOutstanding: Int? { running?.change.generation ?? queue.first?.generation }
    var lastOutstanding: Int? { queue.last?.generation ?? running?.change.generation }

    /// Takes out those who need not wait any longer.
    mutating func released() -> [Reader] {
      let first = firstOutstanding ?? .max
      let free = waiting.filter { $0.value < first }.map(\.key)
      for key in free { waiting[key] = nil }
      return free.compactMap { readers[$0] }
    }
  }

  private let state: Lock<State>

  init(_ contents: Contents) {
    state = Lock(State(settled: Settled(generation: 0, contents: contents)))
  }

  /// The newest state that is there, without waiting for one that was asked for.
  var latest: Settled { state.withLock { $0.settled } }

  /// Tells whether something was asked for that is not there yet.
  var isBusy: Bool { state.withLock { $0.firstOutstanding != nil } }

  /// The number of those that read now, those that wait included.
  var readerCount: Int { state.withLock { $0.readers.count } }
  /// The number of those that wait for what was asked for before.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  // MARK: Changing

  /// Puts a change at the end of the line.
  ///
  /// - Parameter replaces: Whether the state before it does not count.
  /// - Returns: The number of the state that it leads to, and the promise of that state or of the one that holds it.
  func change(
    owner: PinyinSearchOwner?, replaces: Bool = false, _ work: @escaping Work
  ) -> (generation: Int, promise: Promise<Int>) {
    let promise = Promise<Int>()
    let generation = state.withLock { state in
      state.lastGeneration += 1
      let generation = state.lastGeneration
      var change = Change(generation: generation, owner: owner, work: work, promise: promise)
      if replaces, let first = state.queue.first {
        for dropped in state.queue { change.leftOut += dropped.leftOut + [dropped.promise] }
        state.queue = []
        for (reader, target) in state.waiting where target >= first.generation { state.waiting[reader] = generation }
      }
      state.queue.append(change)
      return generation
    }
    beginNext()
    return (generation, promise)
  }

  private func beginNext() {
    state.withLock { state in
      guard state.running == nil, let next = state.queue.first else { return }
      state.queue.removeFirst()
      let before = state.settled
      state.running = (next, nil)
      // The task takes the lock first of all things to settle, so the handle is there in time.
      let task = Task.detached(priority: .userInitiated) { [self] in
        let result: Result<Contents, any Error>
        do { result = .success(try await next.work(before)) } catch { result = .failure(error) }
        settle(next.generation, result)
      }
      state.running?.task = task
    }
  }

  private func settle(_ generation: Int, _ result: Result<Contents, any Error>) {
    let (change, readers) = state.withLock { state -> (Change?, [Reader]) in
      // A change that was cancelled is in the line no more, and its state is dropped.
      guard let change = state.running?.change, change.generation == generation else { return (nil, []) }
      state.running = nil
      if case .success(let contents) = result { state.settled = Settled(generation: generation, contents: contents) }
      return (change, state.released())
    }
    guard let change else { return }
    change.resolve(result.map { _ in generation })
    answer(readers)
    beginNext()
  }

  private func answer(_ readers: [Reader]) {
    guard !readers.isEmpty else { return }
    let settled = latest
    for reader in readers { reader.settled.resolve(.success(settled)) }
  }

  // MARK: Reading

  /// Reads the state that holds all changes that were asked for until now.
  ///
  /// - Parameter body: Gets the state, and what tells it that its answer is not wanted any more.
  /// - Throws: `CancellationError` where the task or the owner is cancelled, before or while `body` reads.
  func read<Value>(
    owner: PinyinSearchOwner?, _ body: (Settled, _ isOver: () -> Bool) throws -> Value
  ) async throws -> Value {
    let reader = Reader(owner: owner)
    let (key, settled) = state.withLock { state -> (Int, Settled?) in
      state.lastReader += 1
      state.readers[state.lastReader] = reader
      guard let last = state.lastOutstanding else { return (state.lastReader, state.settled) }
      state.waiting[state.lastReader] = last
      return (state.lastReader, nil)
    }
    defer {
      state.withLock { state in
        state.readers[key] = nil
        state.waiting[key] = nil
      }
    }
    try reader.check()
    var found = settled
    if found == nil { found = try await reader.settled.value() }
    guard let found else { throw CancellationError() }
    try reader.check()
    let value = try body(found) { reader.isOver }
    try reader.check()
    return value
  }

  // MARK: Cancelling

  /// Cancels all that `isMeant` says, readers and changes; it is over when this returns.
  func cancel(owner: PinyinSearchOwner) {
    cancel(readers: { $0.owner == owner }, changes: { $0.owner == owner })
  }

  /// Cancels the change that leads to a generation, where it is not made yet.
  func cancel(generation: Int) {
    cancel(readers: { _ in false }, changes: { $0.generation == generation })
  }

  /// Cancels everything that is asked for and puts another state in the place of the newest, all at once.
  func reset(to contents: Contents) {
    cancel(readers: { _ in true }, changes: { _ in true }, then: contents)
  }

  private func cancel(
    readers isMeantReader: (Reader) -> Bool, changes isMeant: (Change) -> Bool, then contents: Contents? = nil
  ) {
    let (changes, readers, released) = state.withLock { state -> ([Change], [Reader], [Reader]) in
      var changes = state.queue.filter(isMeant)
      state.queue.removeAll(where: isMeant)
      if let running = state.running, isMeant(running.change) {
        running.task?.cancel()
        changes.append(running.change)
        state.running = nil
      }
      let meant = state.readers.filter { isMeantReader($0.value) }
      for key in meant.keys { state.waiting[key] = nil }
      if let contents {
        state.lastGeneration += 1
        state.settled = Settled(generation: state.lastGeneration, contents: contents)
      }
      return (changes, Array(meant.values), state.released())
    }
    for change in changes { change.resolve(.failure(CancellationError())) }
    for reader in readers { reader.cancel() }
    answer(released)
    beginNext()
  }
}
