import MPaaSFramework

enum Double_: Message {
  typealias Input = Int
  typealias Output = Int
  static let name = "number.double"
}

enum Unique: Message {
  typealias Input = Void
  typealias Output = Void
  static let name = "number.unique"
  static let isUnique = true
}

enum Patient: Message {
  typealias Input = Gate
  typealias Output = String
  static let name = "number.patient"
  static let timeout: TimeSpan? = .seconds(5)
}

enum Noted: Message {
  typealias Input = (number: Int, gate: Gate?)
  typealias Output = Int
  static let name = "note.add"
}

struct TooBig: Error, CustomStringConvertible { var description: String { "too big" } }

/// Doubles numbers; waits where it is asked to.
struct Numbers: MessageController {
  var prefix: String { "number" }
  var delivery = MessageDelivery.inOrder

  func register(_ handlers: inout MessageHandlers) {
    handlers.on(Double_.self) { number, _ in
      guard number < 1000 else { throw TooBig() }
      return number * 2
    }
    handlers.on(Unique.self) { _, _ in }
    handlers.on(Patient.self) { gate, _ in
      await gate.pass()
      try Task.checkCancellation()
      return "done"
    }
    handlers.on("number.half") { values, exchange in
      exchange.report(progress: 0.5)
      exchange.report(progress: 7)
      return ["half": (values["number"] as? Int ?? 0) / 2]
    }
  }
}

/// Notes what it handles, in the order in which it begins.
struct Notes: MessageController {
  let prefix: String
  let delivery: MessageDelivery
  let journal: Journal<Int>

  init(_ journal: Journal<Int>, prefix: String = "note", delivery: MessageDelivery = .inOrder) {
    self.journal = journal
    self.prefix = prefix
    self.delivery = delivery
  }

  func register(_ handlers: inout MessageHandlers) {
    guard prefix == "note" else { return handlers.otherwise { input, _ in (input as? Int ?? 0) + 1 } }
    handlers.on(Noted.self) { input, _ in
      journal.note(input.number)
      await input.gate?.pass()
      return input.number
    }
  }
}

/// Hands a message on, to others or to itself.
struct Relay: MessageController {
  let prefix: String
  let delivery: MessageDelivery
  let queue: MessageQueue
  let target: String

  func register(_ handlers: inout MessageHandlers) {
    let (queue, target) = (queue, target)
    handlers.on("\(prefix).go") { values, _ in
      guard let depth = values["depth"] as? Int, depth > 0 else { return ["end": true] }
      return try await queue.send(named: target, ["depth": depth - 1])
    }
  }
}
