import MPaaSFramework
import Testing

@Suite("A frozen queue") struct MessageFreezingTests {
  let clock = StoppedClock()

  func queue() throws -> MessageQueue {
    let queue = MessageQueue(clock: clock)
    try queue.attach(Numbers())
    try queue.attach(Notes(Journal()))
    return queue
  }

  @Test("holds messages before their controllers get them, and loses none when it is released")
  func held() async throws {
    let queue = try queue()
    queue.freeze()
    let handles = try (0..<10).map { try queue.post(Double_.self, $0) }
    let other = try queue.post(Noted.self, (number: 1, gate: nil))
    #expect(queue.messages.allSatisfy { $0.state == .sending })
    #expect(queue.messages.count == 11)
    #expect(queue.isFrozen("number.double"))
    #expect(queue.messages[3].input == "3")
    queue.release()
    for (number, handle) in handles.enumerated() { #expect(try await handle.output == number * 2) }
    #expect(try await other.output == 1)
    #expect(queue.messages.isEmpty)
    #expect(!queue.isFrozen("number.double"))
  }

  @Test("freezes by prefix; others go on")
  func byPrefix() async throws {
    let queue = try queue()
    queue.freeze("number")
    let held = try queue.post(Double_.self, 1)
    #expect(try await queue.send(Noted.self, (number: 7, gate: nil)) == 7)
    #expect(held.state == .sending)
    queue.release("note")
    #expect(held.state == .sending)
    queue.release("number")
    #expect(try await held.output == 2)
  }

  @Test("nothing overtakes a held message on the way to its controller")
  func noOvertaking() async throws {
    let queue = try queue()
    queue.freeze("number.patient")
    let gate = Gate()
    gate.open()
    let held = try queue.post(Patient.self, gate)
    let behind = try queue.post(Double_.self, 1)
    #expect(behind.state == .sending)
    queue.release()
    #expect(try await behind.output == 2)
    #expect(held.state == .succeeded)
  }

  @Test("lets a single message through where it is asked to, and stays frozen")
  func single() async throws {
    let queue = try queue()
    queue.freeze()
    let (first, second) = (try queue.post(Double_.self, 1), try queue.post(Double_.self, 2))
    #expect(queue.release(message: second.id))
    #expect(try await second.output == 4)
    #expect(first.state == .sending)
    #expect(!queue.release(message: second.id))
    #expect(!queue.release(message: 999))
    #expect(queue.release(message: first.id))
    #expect(try await first.output == 2)
    #expect(queue.isFrozen("number.double"))
  }

  @Test("a held message does not run out of time; its time begins anew when it is released")
  func time() async throws {
    let queue = try queue()
    let (blocking, waiting) = (Gate(), Gate())
    let first = try queue.post(Patient.self, blocking, timeout: .seconds(100))
    await until { blocking.arrived == 1 }
    let queued = try queue.post(Patient.self, waiting, timeout: .seconds(5))
    queue.freeze()
    let frozen = try queue.post(Patient.self, waiting, timeout: .seconds(5))
    await clock.advance(by: .seconds(50))
    blocking.open()
    #expect(try await first.output == "done")
    #expect(queued.state == .sending)
    #expect(frozen.state == .sending)
    queue.release()
    await until { waiting.arrived == 1 }
    await clock.advance(by: .seconds(4))
    #expect(queued.state == .waiting)
    #expect(frozen.state == .sending)
    await clock.advance(by: .seconds(1))
    for handle in [queued, frozen] {
      let error = await #expect(throws: FrameworkError.self) { try await handle.output }
      #expect(error?.code == .messageTimedOut)
    }
    waiting.open()
  }

  @Test("the time of a message that was not over when it was held begins anew as well", arguments: [true, false])
  func timeLeft(single: Bool) async throws {
    let queue = try queue()
    let (blocking, waiting) = (Gate(), Gate())
    let first = try queue.post(Patient.self, blocking, timeout: .seconds(100))
    await until { blocking.arrived == 1 }
    let held = try queue.post(Patient.self, waiting, timeout: .seconds(5))
    queue.freeze()
    await clock.advance(by: .seconds(4))
    blocking.open()
    #expect(try await first.output == "done")
    if single { #expect(queue.release(message: held.id)) } else { queue.release() }
    await until { waiting.arrived == 1 }
    await clock.advance(by: .seconds(4))
    #expect(held.state == .waiting)
    waiting.open()
    #expect(try await held.output == "done")
  }

  @Test("a held message can be cancelled")
  func cancelled() async throws {
    let queue = try queue()
    queue.freeze()
    let handle = try queue.post(Double_.self, 1)
    #expect(handle.cancel())
    #expect(queue.messages.isEmpty)
    let error = await #expect(throws: FrameworkError.self) { try await handle.output }
    #expect(error?.code == .messageCancelled)
  }
}
