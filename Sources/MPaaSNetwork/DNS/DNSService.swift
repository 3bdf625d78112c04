import NIOCore
import Synchronization

/// The state that the sockets of a DNS proxy share: its conditions, the servers that it asks, who is told.
final class DNSService: Sendable {
  /// The time that a server may take before the next is asked.
  static let patience = TimeAmount.seconds(3)

  let name: String
  let servers: [SocketAddress]
  let environment: ProxyEnvironment
  private let conditions: Mutex<NameConditions>

  init(_ name: String, _ servers: [SocketAddress], under conditions: ProxyConditions, in environment: ProxyEnvironment)
  {
    self.name = name
    self.servers = servers
    self.environment = environment
    self.conditions = Mutex(NameConditions(seed: conditions.seed, conditions.toxics))
  }

  func apply(_ new: ProxyConditions) { conditions.withLock { $0.change(to: new.toxics) } }

  func plan(_ message: DNSMessage, client: UInt64) -> NamePlan {
    conditions.withLock { $0.plan(name: message.name, client: client) }
  }

  /// Tells of a question that has its answer, or gets none.
  func ended(_ query: DNSQuery, _ answer: [UInt8]?) {
    environment.events.note(.request, name, query.details(answer))
  }
}

/// A question on its way.
struct DNSQuery {
  let message: DNSMessage
  let bytes: [UInt8]
  let plan: NamePlan
  let began = NIODeadline.now()
  /// The time that the buttons have moved the answer by.
  var shift = TimeAmount.zero

  /// The time that the answer is held.
  var hold: TimeAmount { max(.zero, TimeAmount(plan.delay) + shift) }

  func details(_ answer: [UInt8]?) -> [String: String] {
    var details = [
      "name": message.name, "type": message.typeName,
      "milliseconds": "\(Double((NIODeadline.now() - began).nanoseconds / 1000) / 1000)",
      "answer": answer.flatMap { $0.count > 3 ? Self.words[Int($0[3] & 0xf)] ?? "\($0[3] & 0xf)" : nil } ?? "silence",
    ]
    if !plan.toxics.isEmpty { details["toxics"] = plan.toxics.joined(separator: " ") }
    return details
  }

  private static let words = [0: "noerror", 1: "formerr", 2: "servfail", 3: "nxdomain", 4: "notimp", 5: "refused"]
}
