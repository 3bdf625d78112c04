import MPaaSFramework
import Testing

/// A controller that attaches itself, and notes that it was made.
struct Lazy: RegisteredController {
  static var prefix: String { "lazy" }
  @TaskLocal static var made = Journal<String>()

  init(services: ServiceRegistry) throws { Self.made.note("lazy") }

  func register(_ handlers: inout MessageHandlers) {
    handlers.on("lazy.echo") { values, _ in values }
  }
}

/// Has the name of its type as its prefix, as in Bee.
final class Plain: RegisteredController {
  init(services: ServiceRegistry) throws {}
  func register(_ handlers: inout MessageHandlers) { handlers.on("Plain.LIKE") { _, _ in ["liked": true] } }
}

@Suite("Controllers that attach themselves") struct RegisteredControllerTests {
  let made = Journal<String>()

  @Test("are made with their first message, once, and by nothing else") @MainActor
  func first() async throws {
    let context = try MobileContext(
      RuntimeTable(controllers: [ControllerEntry(registered: Lazy.self), ControllerEntry(registered: Plain.self)]))
    try await Lazy.$made.withValue(made) {
      let liked = try await context.messages.send(named: "Plain.LIKE")
      #expect(liked["liked"] as? Bool == true)
      #expect(made.entries.isEmpty)
      for number in 1...3 {
        let answer = try await context.messages.send(named: "lazy.echo", ["n": number])
        #expect(answer["n"] as? Int == number)
      }
      #expect(throws: FrameworkError.self) { try context.messages.post(named: "lazy.other") }
    }
    #expect(made.entries == ["lazy"])
  }

  @Test("are asked before shorter prefixes, and not where a longer one handles the message")
  func longest() async throws {
    let queue = MessageQueue()
    let (made, journal) = (made, Journal<Int>())
    try queue.attach(Notes(journal, prefix: "a"))
    try queue.attach(onFirst: "a.b") {
      made.note("a.b")
      return Notes(journal, prefix: "a.b")
    }
    try queue.attach(Notes(journal, prefix: "a.b.c"))
    for name in ["a.x", "a.b.c.x"] { try queue.post(named: name).cancel() }
    #expect(made.entries.isEmpty)
    try queue.post(named: "a.b.x").cancel()
    #expect(made.entries == ["a.b"])
  }

  @Test("that cannot be made are named with their line, and tried again")
  func failing() throws {
    let queue = MessageQueue()
    let made = made
    try queue.attach(onFirst: "a", file: "A.swift", line: 7) {
      made.note("a")
      guard made.entries.count > 1 else { throw TooBig() }
      return Notes(Journal(), prefix: "a")
    }
    let error = #expect(throws: FrameworkError.self) { try queue.post(named: "a.x") }
    #expect(error?.code == .controllerFailed)
    #expect(error?.place == SourcePlace("A.swift", line: 7))
    #expect(error?.underlying is TooBig)
    try queue.post(named: "a.x").cancel()
    #expect(made.entries.count == 2)
  }

  @Test("have their prefix for themselves, until they are detached")
  func prefix() throws {
    let queue = MessageQueue()
    try queue.attach(onFirst: "note") { Notes(Journal()) }
    for attach in [{ try queue.attach(Notes(Journal())) }, { try queue.attach(onFirst: "note") { Notes(Journal()) } }] {
      let error = #expect(throws: FrameworkError.self) { try attach() }
      #expect(error?.code == .controllerAttachedTwice)
    }
    #expect(queue.detach("note"))
    #expect(!queue.detach("note"))
    try queue.attach(Notes(Journal()))
  }

  @Test("keep one of those that many senders make at once, and no message is lost")
  func crowd() async throws {
    let queue = MessageQueue()
    try queue.attach(onFirst: "note") { Notes(Journal(), prefix: "note", delivery: .concurrent(8)) }
    let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<200 { group.addTask { try await queue.send(Noted.self, (number, nil)) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(numbers.count == 200)
  }
}
