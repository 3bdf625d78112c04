import MPaaSFramework
import Testing

@Suite("Messages") struct MessageSendingTests {
  func queue(_ controllers: any MessageController...) throws -> MessageQueue {
    let queue = MessageQueue()
    for controller in controllers { try queue.attach(controller) }
    return queue
  }

  @Test("a typed message brings its output back")
  func typed() async throws {
    let queue = try queue(Numbers())
    #expect(try await queue.send(Double_.self, 21) == 42)
    #expect(queue.messages.isEmpty)
  }

  @Test("a message is sent by its name with values by key")
  func named() async throws {
    let answer = try await queue(Numbers()).send(named: "number.half", ["number": 8])
    #expect(answer["half"] as? Int == 4)
  }

  @Test("a handler tells the token of a sender from another of the same name, and from none")
  func senders() async throws {
    let payments = MessageSender("payments")
    struct Paid: MessageController {
      let prefix = "paid"
      let payments: MessageSender

      func register(_ handlers: inout MessageHandlers) {
        handlers.otherwise { _, exchange in
          ["own": exchange.isFrom(payments), "name": exchange.sender?.name ?? "-"] as MessageValues
        }
      }
    }
    let queue = try queue(Paid(payments: payments))
    let own = try await queue.send(named: "paid.\(42)", from: payments)
    #expect(own["own"] as? Bool == true && own["name"] as? String == "payments")
    let other = try await queue.send(named: "paid.42", from: MessageSender("payments"))
    #expect(other["own"] as? Bool == false && other["name"] as? String == "payments")
    let none = try await queue.send(named: "paid.42")
    #expect(none["own"] as? Bool == false && none["name"] as? String == "-")
    #expect(try await queue.post(named: "paid.42", from: payments).output["own"] as? Bool == true)
  }

  @Test("what the handler throws comes back, with the message's name")
  func throwing() async throws {
    let queue = try queue(Numbers())
    let error = await #expect(throws: FrameworkError.self) { try await queue.send(Double_.self, 5000) }
    #expect(error?.code == .messageFailed)
    #expect(error?.subject == .message("number.double"))
    #expect(error?.underlying is TooBig)
    #expect(error?.description.contains("too big") == true)
  }

  @Test("a message that nobody handles is an error that names the nearest one")
  func unhandled() async throws {
    let queue = try queue(Numbers())
    let error = await #expect(throws: FrameworkError.self) { try await queue.send(named: "number.doubel") }
    #expect(error?.code == .messageUnhandled)
    #expect(error?.values["suggestion"] == " (number.double?)")
    await #expect(throws: FrameworkError.self) { try await queue.send(named: "") }
    await #expect(throws: FrameworkError.self) { try await queue.send(named: "numbers.double") }
  }

  @Test("sender and handler that disagree are told what was expected")
  func mismatched() async throws {
    let queue = try queue(Numbers())
    let error = await #expect(throws: FrameworkError.self) { try await queue.send(named: "number.double") }
    #expect(error?.code == .messageInputMismatched)
    #expect(error?.values["expected"] == "Int")
    enum Liar: Message {
      typealias Input = MessageValues
      typealias Output = String
      static let name = "number.half"
    }
    let other = await #expect(throws: FrameworkError.self) { try await queue.send(Liar.self, [:]) }
    #expect(other?.code == .messageOutputMismatched)
  }

  @Test("the controller with the longer prefix takes a message; what it does not handle goes to the shorter")
  func prefixes() async throws {
    let queue = try queue(Notes(Journal(), prefix: ""), Notes(Journal(), prefix: "number.other"), Numbers())
    enum Other: Message {
      typealias Input = Int
      typealias Output = Int
      static let name = "number.other.thing"
    }
    enum Any_: Message {
      typealias Input = Int
      typealias Output = Int
      static let name = "elsewhere"
    }
    #expect(try await queue.send(Double_.self, 1) == 2)
    #expect(try await queue.send(Other.self, 1) == 2)
    #expect(try await queue.send(Any_.self, 5) == 6)
  }

  @Test("attaching refuses a prefix that is taken, a message handled twice, and one outside the prefix")
  func attaching() throws {
    struct Twice: MessageController {
      var prefix: String { "twice" }
      func register(_ handlers: inout MessageHandlers) {
        handlers.on("twice.a") { values, _ in values }
        handlers.on("twice.a") { values, _ in values }
      }
    }
    struct Outside: MessageController {
      var prefix: String { "out" }
      func register(_ handlers: inout MessageHandlers) { handlers.on("outside.a") { values, _ in values } }
    }
    let queue = try queue(Numbers())
    let codes = [Numbers() as any MessageController, Twice(), Outside()].map { controller in
      #expect(throws: FrameworkError.self) { try queue.attach(controller) }?.code
    }
    #expect(codes == [.controllerAttachedTwice, .messageHandledTwice, .messageOutsidePrefix])
  }

  @Test("a unique message is refused while one of its kind is on its way")
  func unique() async throws {
    let queue = try queue(Numbers())
    queue.freeze()
    let first = try queue.post(Unique.self, ())
    let error = #expect(throws: FrameworkError.self) { try queue.post(Unique.self, ()) }
    #expect(error?.code == .messageOnItsWay)
    queue.release()
    try await first.output
    try await queue.send(Unique.self, ())
  }

  @Test("a handler that waits for its own controller is refused with the path, in order or when all places are taken")
  func circles() async throws {
    let queue = MessageQueue()
    try queue.attach(Relay(prefix: "a", delivery: .inOrder, queue: queue, target: "b.go"))
    try queue.attach(Relay(prefix: "b", delivery: .concurrent(2), queue: queue, target: "a.go"))
    try queue.attach(Relay(prefix: "c", delivery: .concurrent(3), queue: queue, target: "c.go"))
    #expect(try await queue.send(named: "a.go", ["depth": 1])["end"] as? Bool == true)
    let error = await #expect(throws: FrameworkError.self) { try await queue.send(named: "a.go", ["depth": 2]) }
    #expect(Self.innermost(error)?.code == .messageWaitsForItself)
    #expect(Self.innermost(error)?.values["path"] == "a.go → b.go → a.go")
    #expect(try await queue.send(named: "c.go", ["depth": 2])["end"] as? Bool == true)
    let crowded = await #expect(throws: FrameworkError.self) { try await queue.send(named: "c.go", ["depth": 3]) }
    #expect(Self.innermost(crowded)?.values["path"] == "c.go → c.go → c.go → c.go")
    #expect(queue.messages.isEmpty)
  }

  static func innermost(_ error: FrameworkError?) -> FrameworkError? {
    var error = error
    while let inner = error?.underlying as? FrameworkError { error = inner }
    return error
  }

  @Test("errors name the line that attached the controller")
  func places() async throws {
    let queue = MessageQueue()
    try queue.attach(Numbers(), file: "Shop/Cart.swift", line: 7)
    let place = SourcePlace("Shop/Cart.swift", line: 7)
    let failed = await #expect(throws: FrameworkError.self) { try await queue.send(Double_.self, 1000) }
    #expect(failed?.place == place)
    #expect(failed?.description.hasPrefix("Shop/Cart.swift:7: The message") == true)
    let mismatched = await #expect(throws: FrameworkError.self) { try await queue.send(named: "number.double") }
    #expect(mismatched?.code == .messageInputMismatched)
    #expect(mismatched?.place == place)
    queue.freeze()
    let held = try queue.post(Unique.self, ())
    let second = #expect(throws: FrameworkError.self) { try queue.post(Unique.self, ()) }
    #expect(second?.code == .messageOnItsWay)
    #expect(second?.place == place)
    held.cancel()
    let cancelled = await #expect(throws: FrameworkError.self) { try await held.output }
    #expect(cancelled?.place == place)
    let taken = #expect(throws: FrameworkError.self) { try queue.attach(Numbers(), file: "Shop/Other.swift", line: 9) }
    #expect(taken?.code == .controllerAttachedTwice)
    #expect(taken?.place == place)
    #expect(taken?.values["other_place"] == "Shop/Other.swift:9")
  }

  @Test("a controller that is detached gets nothing more, ends what it has, and leaves its prefix to another")
  func detached() async throws {
    let queue = try queue(Numbers())
    let gate = Gate()
    let handle = try queue.post(Patient.self, gate)
    await until { gate.arrived == 1 }
    #expect(queue.detach("number"))
    #expect(!queue.detach("number"))
    #expect(!queue.detach("num"))
    let error = await #expect(throws: FrameworkError.self) { try await queue.send(Double_.self, 1) }
    #expect(error?.code == .messageUnhandled)
    try queue.attach(Numbers())
    #expect(try await queue.send(Double_.self, 2) == 4)
    gate.open()
    #expect(try await handle.output == "done")
  }

  @Test("a controller talks to servers through the closure that it was given")
  func transport() async throws {
    let transport = MessageTransport { request in
      .init(status: request.method == "POST" ? 201 : 404, headers: ["Type": "text"], body: request.body.reversed())
    }
    let answer = try await transport(.init(method: "POST", url: "https://example.com/a", body: [1, 2]))
    #expect(answer.isSuccess)
    #expect(answer.body == [2, 1])
    #expect(!(try await transport(.init(url: "https://example.com/a"))).isSuccess)
  }
}
