/// The token of a sender of messages, by which a handler knows from whom a message is.
///
/// A name can be made up by any code of the process, a token only be handed over: keep it where foreign code has no
/// reference to it, and hand it to the parts that may send.
/// ```swift
/// let payments = MessageSender("payments")          // private to the app
/// try queue.post(named: "cart.paid", ["order": 42], from: payments)
///
/// handlers.on("cart.paid") { values, exchange in
///   guard exchange.isFrom(payments) else { throw Refused() }
///   …
/// }
/// ```
public final class MessageSender: Sendable, CustomStringConvertible {
  /// The name for logs; two tokens of one name are two senders.
  public let name: String

  /// Creates a token that no other is the same as.
  public init(_ name: String) { self.name = name }

  /// The name.
  public var description: String { name }
}

extension MessageExchange {
  /// The sender's token; nil where the message was sent without one.
  public var sender: MessageSender? { record.sender }

  /// Tells whether the message was sent with exactly this token.
  public func isFrom(_ sender: MessageSender) -> Bool { record.sender === sender }
}
