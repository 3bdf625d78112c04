import MPaaSFramework
import Synchronization
import Testing

@Suite("Messages in order") struct MessageOrderTests {
  @Test("messages to a controller that delivers in order are handled one after another, as they were sent")
  func inOrder() async throws {
    let (queue, journal, gate) = (MessageQueue(), Journal<Int>(), Gate())
    try queue.attach(Notes(journal))
    let handles = try (0..<100).map { try queue.post(Noted.self, (number: $0, gate: $0 == 0 ? gate : nil)) }
    #expect(journal.entries == [0])
    #expect(queue.messages.count == 100)
    #expect(queue.messages.map(\.state) == [.waiting] + Array(repeating: .sending, count: 99))
    gate.open()
    for (number, handle) in handles.enumerated() { #expect(try await handle.output == number) }
    #expect(journal.entries == Array(0..<100))
  }

  @Test("a concurrent controller handles as many at a time as it says")
  func concurrent() async throws {
    let (queue, journal, gate) = (MessageQueue(), Journal<Int>(), Gate())
    try queue.attach(Notes(journal, delivery: .concurrent(3)))
    let handles = try (0..<10).map { try queue.post(Noted.self, (number: $0, gate: gate)) }
    await until { gate.arrived == 3 }
    #expect(journal.entries.sorted() == [0, 1, 2])
    #expect(queue.messages.filter { $0.state == .waiting }.count == 3)
    gate.open()
    for handle in handles { _ = try await handle.output }
    #expect(journal.entries.sorted() == Array(0..<10))
  }

  @Test("controllers do not wait for each other")
  func independent() async throws {
    let (queue, gate) = (MessageQueue(), Gate())
    try queue.attach(Notes(Journal()))
    try queue.attach(Numbers())
    let slow = try queue.post(Noted.self, (number: 1, gate: gate))
    #expect(try await queue.send(Double_.self, 4) == 8)
    gate.open()
    #expect(try await slow.output == 1)
  }

  @Test("the next waits for the handler that was cancelled until it has returned")
  func afterCancellation() async throws {
    let (queue, journal, gate) = (MessageQueue(), Journal<Int>(), Gate())
    try queue.attach(Notes(journal))
    let first = try queue.post(Noted.self, (number: 1, gate: gate))
    let second = try queue.post(Noted.self, (number: 2, gate: nil))
    await until { gate.arrived == 1 }
    #expect(first.cancel())
    #expect(first.state == .cancelled)
    #expect(second.state == .sending)
    #expect(journal.entries == [1])
    gate.open()
    #expect(try await second.output == 2)
  }

  @Test(
    "of 10,000 messages from 100 tasks to 10 controllers none is lost, none is handled twice, each sender's keep order")
  func many() async throws {
    struct Counting: MessageController {
      let prefix: String
      let delivery: MessageDelivery
      let journal: Journal<(sender: Int, number: Int)>
      func register(_ handlers: inout MessageHandlers) {
        handlers.on("\(prefix).count") { values, _ in
          let (sender, number) = (values["sender"] as? Int ?? -1, values["number"] as? Int ?? -1)
          journal.note((sender, number))
          if number % 7 == 0 { await Task.yield() }
          return ["sum": sender + number]
        }
      }
    }
    let queue = MessageQueue()
    let journals = (0..<10).map { _ in Journal<(sender: Int, number: Int)>() }
    for (index, journal) in journals.enumerated() {
      try queue.attach(
        Counting(prefix: "c\(index)", delivery: index % 2 == 0 ? .inOrder : .concurrent(4), journal: journal))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for sender in 0..<100 {
        group.addTask {
          for number in 0..<100 {
            let answer = try await queue.send(
              named: "c\(sender % 10).count", ["sender": sender, "number": number], timeout: .seconds(3600))
            #expect(answer["sum"] as? Int == sender + number)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(journals.map(\.entries.count) == Array(repeating: 1000, count: 10))
    for (index, journal) in journals.enumerated() {
      for sender in stride(from: index, to: 100, by: 10) {
        #expect(journal.entries.filter { $0.sender == sender }.map(\.number) == Array(0..<100))
      }
    }
    #expect(queue.messages.isEmpty)
  }

  @Test("10,000 messages that are posted, cancelled, frozen and released at random each end once")
  func storm() async throws {
    let (queue, journal) = (MessageQueue(), Journal<Int>())
    try queue.attach(Notes(journal, delivery: .concurrent(8)))
    let changes = queue.changes(of: "note")
    let ends = Task {
      var ends: [UInt64: Int] = [:]
      for await change in changes where change.state.isFinal {
        ends[change.id, default: 0] += 1
        if ends.count == 10_000 { break }
      }
      return ends
    }
    let outcomes = try await withThrowingTaskGroup(of: [Bool].self) { group in
      for sender in 0..<20 {
        group.addTask {
          var random = SeededNumbers(state: UInt64(sender) + 1)
          var handles: [MessageHandle<Int>] = []
          for number in 0..<500 {
            handles.append(try queue.post(Noted.self, (number: sender * 500 + number, gate: nil)))
            switch random.next() % 16 {
            case 0: queue.freeze("note")
            case 1, 2, 3: queue.release()
            case 4, 5: handles.randomElement(using: &random)?.cancel()
            case 6: await Task.yield()
            default: break
            }
          }
          queue.release()
          var outcomes: [Bool] = []
          for handle in handles {
            // Another sender may have frozen the queue since.
            let done = Task { (try? await handle.output) != nil }
            while !handle.state.isFinal {
              queue.release()
              await Task.yield()
            }
            outcomes.append(await done.value)
          }
          return outcomes
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(outcomes.count == 10_000)
    let numbers = journal.entries
    #expect(Set(numbers).count == numbers.count, "a message was handled twice")
    // One that was cancelled while it was handled was noted too.
    #expect(numbers.count >= outcomes.count { $0 })
    let all = await ends.value
    #expect(all.count == 10_000)
    #expect(all.values.allSatisfy { $0 == 1 })
    await until { queue.messages.isEmpty }
  }
}

/// Numbers that come the same way each time.
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 24
  }
}
