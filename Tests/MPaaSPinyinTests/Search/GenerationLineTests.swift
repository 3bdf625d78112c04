import MPaaSTestSupport
import Testing

@testable import MPaaSPinyin

/// Stops the work of a change until a test lets it go on.
struct Gate: Sendable {
  private let entered = Promise<Bool>()
  private let opened = Promise<Bool>()

  /// Waits before the gate; whether or not the task is cancelled.
  func pass() async throws {
    entered.resolve(.success(true))
    let opened = opened
    _ = try await Task.detached { try await opened.value() }.value
  }

  func open() { opened.resolve(.success(true)) }

  /// Waits until somebody stands before the gate.
  func reached() async throws { _ = try await entered.value() }
}

@Suite("The line of generations")
struct GenerationLineTests {
  @Test("who reads is answered after the changes that were asked for before, in their order")
  func order() async throws {
    let line = GenerationLine([Int]())
    let gate = Gate()
    _ = line.change(owner: nil) { before in
      try await gate.pass()
      return before.contents + [1]
    }
    _ = line.change(owner: nil) { $0.contents + [2] }
    #expect(line.isBusy)
    #expect(line.latest.generation == 0)
    async let read = line.read(owner: nil) { settled, _ in (settled.generation, settled.contents) }
    try await gate.reached()
    gate.open()
    let (generation, contents) = try await read
    #expect(generation == 2)
    #expect(contents == [1, 2])
  }

  @Test("a replacement leaves out what has not begun, whose promises it keeps, and lets end what has")
  func replacement() async throws {
    let line = GenerationLine([Int]())
    let gate = Gate()
    let first = line.change(owner: nil, replaces: true) { _ in
      try await gate.pass()
      return [1]
    }
    try await gate.reached()
    let second = line.change(owner: nil, replaces: true) { _ in [2] }
    let appended = line.change(owner: nil) { $0.contents + [3] }
    let last = line.change(owner: nil, replaces: true) { _ in [4] }
    gate.open()
    #expect(try await first.promise.value() == 1)
    #expect(try await second.promise.value() == last.generation)
    #expect(try await appended.promise.value() == last.generation)
    #expect(try await line.read(owner: nil) { settled, _ in settled.contents } == [4])
    #expect(line.latest.generation == 4)
  }

  @Test("a cancelled owner's searches and builds end at once, though its work goes on, and others are answered")
  func cancellation() async throws {
    let line = GenerationLine([0])
    let (mine, other) = (PinyinSearchOwner(), PinyinSearchOwner(named: "other"))
    let gate = Gate()
    let build = line.change(owner: mine, replaces: true) { _ in
      try await gate.pass()
      return [1]
    }
    try await gate.reached()
    let ended = Task { try await line.read(owner: mine) { settled, _ in settled.contents } }
    let answered = Task { try await line.read(owner: other) { settled, _ in settled.contents } }
    while line.waitingCount < 2 { await Task.yield() }
    line.cancel(owner: mine)
    await #expect(throws: CancellationError.self) { try await ended.value }
    await #expect(throws: CancellationError.self) { try await build.promise.value() }
    #expect(try await answered.value == [0])
    #expect(line.latest.generation == 0)
    #expect(!line.isBusy)
    gate.open()
    let next = line.change(owner: mine) { $0.contents + [2] }
    #expect(try await next.promise.value() == 2)
    #expect(line.latest.contents == [0, 2])
  }

  @Test("a cancelled task stops waiting, and what it waited for is made all the same")
  func cancelledTask() async throws {
    let line = GenerationLine([0])
    let gate = Gate()
    let build = line.change(owner: nil) { _ in
      try await gate.pass()
      return [1]
    }
    let task = Task { try await line.read(owner: nil) { settled, _ in settled.contents } }
    while line.waitingCount < 1 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    gate.open()
    #expect(try await build.promise.value() == 1)
    #expect(line.waitingCount == 0)
  }

  @Test("a change that fails says why and leaves the state before it")
  func failure() async throws {
    struct Failure: Error {}
    let line = GenerationLine([0])
    let change = line.change(owner: nil) { _ in throw Failure() }
    await #expect(throws: Failure.self) { try await change.promise.value() }
    #expect(try await line.read(owner: nil) { settled, _ in settled.generation } == 0)
  }

  @Test("many readers beside many changes each see one state, and none older than what was asked for before")
  func crowd() async throws {
    let line = GenerationLine((0, 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask {
          for _ in 0..<50 {
            let asked = line.latest.generation
            let (generation, state) = try await line.read(owner: nil) { settled, _ in
              (settled.generation, settled.contents)
            }
            #expect(state.0 == state.1)
            #expect(generation >= asked)
          }
        }
      }
      group.addTask {
        for round in 0..<200 {
          let change = line.change(owner: nil, replaces: round.isMultiple(of: 3)) {
            ($0.contents.0 + 1, $0.contents.1 + 1)
          }
          if round.isMultiple(of: 7) { line.cancel(generation: change.generation) }
        }
      }
      try await group.waitForAll()
    }
    #expect(line.readerCount == 0)
  }
}
