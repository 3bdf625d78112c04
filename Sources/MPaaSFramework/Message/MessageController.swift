/// Handles the messages whose names begin with its prefix.
///
/// `MessageQueue.attach(_:)` attaches it; a `RegisteredController` attaches itself with its first message.
/// ```swift
/// struct CartController: MessageController {
///   let prefix = "cart"
///   let store: CartStore
///
///   func register(_ handlers: inout MessageHandlers) {
///     handlers.on(AddToCart.self) { item, _ in try await store.add(item) }
///   }
/// }
/// ```
public protocol MessageController: Sendable {
  /// `cart` takes `cart` and `cart.…`; where two fit, the longer prefix takes it.
  var prefix: String { get }
  /// Tells whether messages wait for one another.
  var delivery: MessageDelivery { get }

  /// Says which messages it handles; called once, as it is attached.
  func register(_ handlers: inout MessageHandlers)
}

extension MessageController {
  /// In order by default: a message waits until the handler of the one before it has returned.
  public var delivery: MessageDelivery { .inOrder }
}

/// Tells whether messages to one controller wait for one another; controllers never wait for each other.
public enum MessageDelivery: Sendable, Hashable {
  /// One after another, in the order in which they were sent: the next begins when the handler has returned, even if
  /// the sender was told before that it was cancelled or out of time.
  case inOrder
  /// Up to so many at a time. They begin in the order in which they were sent and end as they like.
  case concurrent(Int)

  var limit: Int {
    switch self {
    case .inOrder: 1
    case .concurrent(let limit): max(1, limit)
    }
  }
}

/// A controller's code for each message.
public struct MessageHandlers: Sendable {
  typealias Handler = @Sendable (any Sendable, MessageExchange) async throws -> any Sendable

  private(set) var byName: [String: Handler] = [:]
  private(set) var twice: [String] = []
  private(set) var other: Handler?

  /// Handles messages of a kind.
  public mutating func on<M: Message>(
    _ message: M.Type, _ handler: @escaping @Sendable (M.Input, MessageExchange) async throws -> M.Output
  ) {
    let name = M.name
    add(name) { input, exchange in
      guard let typed = input as? M.Input else { throw Self.mismatched(name, "\(M.Input.self)", input) }
      return try await handler(typed, exchange)
    }
  }

  /// Handles messages by their name, with values by key.
  public mutating func on(
    _ name: String, _ handler: @escaping @Sendable (MessageValues, MessageExchange) async throws -> MessageValues
  ) {
    add(name) { input, exchange in
      guard let values = input as? MessageValues else { throw Self.mismatched(name, "MessageValues", input) }
      return try await handler(values, exchange)
    }
  }

  /// Handles the messages of the prefix that have no handler of their own.
  public mutating func otherwise(
    _ handler: @escaping @Sendable (any Sendable, MessageExchange) async throws -> any Sendable
  ) {
    other = handler
  }

  private static func mismatched(_ name: String, _ expected: String, _ input: any Sendable) -> FrameworkError {
    FrameworkError(
      .messageInputMismatched, .message(name), values: ["expected": expected, "got": "\(type(of: input))"])
  }

  private mutating func add(_ name: String, _ handler: @escaping Handler) {
    if byName.updateValue(handler, forKey: name) != nil { twice.append(name) }
  }
}

/// A message as its handler sees it.
public struct MessageExchange: Sendable {
  let record: MessageRecord

  /// The number of the message, which no other message of its queue has.
  public var id: UInt64 { record.id }
  /// The name of the message's kind: `cart.add`.
  public var name: String { record.name }

  /// Tells those who observe the message how far its handling has come, from 0 to 1.
  public func report(progress: Double) {
    record.report(progress: min(1, max(0, progress)))
  }
}
