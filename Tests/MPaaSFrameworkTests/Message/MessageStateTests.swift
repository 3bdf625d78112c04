import MPaaSFramework
import Testing

@Suite("States of messages") struct MessageStateTests {
  let clock = StoppedClock()
  let gate = Gate()

  func queue() throws -> MessageQueue {
    let queue = MessageQueue(clock: clock)
    try queue.attach(Numbers())
    return queue
  }

  /// The steps of the first message that ends.
  func steps(_ changes: AsyncStream<MessageChange>) async -> [MessageChange] {
    var steps: [MessageChange] = []
    for await change in changes {
      steps.append(change)
      if change.state.isFinal { break }
    }
    return steps
  }

  @Test("an observer sees each step, with the progress that the controller tells, held between 0 and 1")
  func steps() async throws {
    let queue = try queue()
    let changes = queue.changes(of: "number.half")
    _ = try await queue.send(Double_.self, 1)
    _ = try await queue.send(named: "number.half", ["number": 2])
    let steps = await steps(changes)
    #expect(steps.map(\.state) == [.created, .sending, .waiting, .waiting, .waiting, .succeeded])
    #expect(steps.map(\.progress) == [nil, nil, nil, 0.5, 1, 1])
    #expect(Set(steps.map(\.name)) == ["number.half"])
    #expect(Set(steps.map(\.id)).count == 1)
  }

  @Test("a handle tells where its message stands and each step from then on")
  func handle() async throws {
    let handle = try queue().post(Patient.self, gate)
    await until { gate.arrived == 1 }
    let changes = handle.changes
    gate.open()
    #expect(await steps(changes).map(\.state) == [.waiting, .succeeded])
    #expect(try await handle.output == "done")
    #expect(try await handle.output == "done", "an answer may be asked for again")
    #expect(await steps(handle.changes).map(\.state) == [.succeeded])
    #expect(!handle.cancel())
  }

  @Test("a message that is not answered in time fails, and its late answer is dropped")
  func timeout() async throws {
    let queue = try queue()
    let handle = try queue.post(Patient.self, gate)
    await clock.advance(by: .seconds(5))
    let error = await #expect(throws: FrameworkError.self) { try await handle.output }
    #expect(error?.code == .messageTimedOut)
    #expect(error?.values["timeout"] == "5.0 seconds")
    #expect(handle.state == .failed)
    gate.open()
    await until { queue.messages.isEmpty }
    #expect(handle.state == .failed)
  }

  @Test("the time of a message covers the wait for its turn; one that is late never begins")
  func timeoutInQueue() async throws {
    let queue = try queue()
    let first = try queue.post(Patient.self, gate, timeout: .seconds(60))
    let second = try queue.post(Double_.self, 1, timeout: .seconds(2))
    let third = try queue.post(Double_.self, 2)
    await clock.advance(by: .seconds(2))
    let error = await #expect(throws: FrameworkError.self) { try await second.output }
    #expect(error?.code == .messageTimedOut)
    #expect(first.state == .waiting)
    #expect(third.state == .sending)
    gate.open()
    #expect(try await first.output == "done")
    #expect(try await third.output == 4)
  }

  @Test("what is answered in time is not touched when the time is over, and deadlines come in their order")
  func inTime() async throws {
    let queue = MessageQueue(clock: clock)
    try queue.attach(Numbers(delivery: .concurrent(1000)))
    for number in 0..<300 { #expect(try await queue.send(Double_.self, number, timeout: .seconds(1)) == number * 2) }
    let waiting = try [30, 10, 20].map { try queue.post(Patient.self, gate, timeout: .seconds($0)) }
    await until { gate.arrived == 3 }
    for late in [[1], [1, 2], [0, 1, 2]] {
      await clock.advance(by: .seconds(10))
      await until { waiting.count { $0.state == .failed } == late.count }
      #expect(waiting.indices.filter { waiting[$0].state == .failed } == late)
    }
    gate.open()
  }

  @Test("cancelling the sender's task cancels the message and its handler")
  func cancelledTask() async throws {
    let queue = try queue()
    let sender = Task { try await queue.send(Patient.self, gate) }
    await until { gate.arrived == 1 }
    let changes = queue.changes()
    sender.cancel()
    let error = await #expect(throws: FrameworkError.self) { try await sender.value }
    #expect(error?.code == .messageCancelled)
    #expect(error?.underlying is CancellationError)
    gate.open()
    #expect(await steps(changes).last?.state == .cancelled)
    await until { queue.messages.isEmpty }
  }

  @Test("a task that is cancelled already sends nothing")
  func cancelledBefore() async throws {
    let queue = try queue()
    let changes = queue.changes()
    let sender = Task {
      await until { Task.isCancelled }
      return try await queue.send(Double_.self, 1)
    }
    sender.cancel()
    let error = await #expect(throws: FrameworkError.self) { try await sender.value }
    #expect(error?.code == .messageCancelled)
    await queue.close()
    #expect(await steps(changes).isEmpty)
  }

  @Test("a message that is cancelled in the queue never begins, and those behind it go on")
  func cancelledInQueue() async throws {
    let queue = try queue()
    let first = try queue.post(Patient.self, gate)
    let second = try queue.post(Double_.self, 1)
    let third = try queue.post(Double_.self, 2)
    #expect(second.cancel())
    #expect(!second.cancel())
    gate.open()
    #expect(try await first.output == "done")
    #expect(try await third.output == 4)
    #expect(second.state == .cancelled)
  }

  @Test("messages are cancelled by their prefix")
  func cancelledByName() async throws {
    let queue = try queue()
    let handles = try (0..<3).map { _ in try queue.post(Patient.self, gate) }
    let other = try queue.post(Double_.self, 3)
    #expect(queue.cancelAll(of: "number.patient") == 3)
    #expect(queue.cancelAll(of: "num") == 0)
    gate.open()
    #expect(handles.allSatisfy { $0.state == .cancelled })
    #expect(try await other.output == 6)
  }

  @Test("a queue that is closed cancels what is on its way, waits for the handlers and takes no more")
  func closed() async throws {
    let queue = try queue()
    let handle = try queue.post(Patient.self, gate)
    await until { gate.arrived == 1 }
    let closing = Task { await queue.close() }
    await until { handle.state == .cancelled }
    gate.open()
    await closing.value
    let error = #expect(throws: FrameworkError.self) { try queue.post(Double_.self, 1) }
    #expect(error?.code == .messageQueueClosed)
  }
}
