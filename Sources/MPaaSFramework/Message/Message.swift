public import MPaaSTime

/// A kind of message: its name, what goes in and what comes out.
///
/// ```swift
/// enum AddToCart: Message {
///   typealias Input = CartItem
///   typealias Output = Cart
///   static let name = "cart.add"
/// }
///
/// let cart = try await context.messages.send(AddToCart.self, item)
/// ```
/// The name's parts are separated by dots; the first ones are the prefix of the controller that handles it.
public protocol Message {
  /// The type of what the sender gives.
  associatedtype Input: Sendable
  /// The type of the answer.
  associatedtype Output: Sendable

  /// The name of the kind, with dots between its parts: `cart.add`.
  static var name: String { get }
  /// The time that an answer may take; nil for as long as it likes.
  static var timeout: TimeSpan? { get }
  /// Tells whether only one of its kind may be on its way at a time.
  static var isUnique: Bool { get }
}

extension Message {
  /// Nil by default: an answer may take as long as it likes.
  public static var timeout: TimeSpan? { nil }
  /// False by default: several messages of the kind may be on their way at a time.
  public static var isUnique: Bool { false }
}

/// The input and output of messages that have no type of their own: values by key.
public typealias MessageValues = [String: any Sendable]

/// The states of a message.
///
/// `created` → `sending` → `waiting` → one of `succeeded`, `failed`, `cancelled`; a message that is cancelled or runs
/// out of time in the queue leaves `waiting` out. The last state never changes.
public enum MessageState: String, Sendable, Hashable, CaseIterable {
  /// Made, and not yet in the queue.
  case created
  /// In the queue: it waits for its turn, or the queue is frozen.
  case sending
  /// A controller handles it, and its sender waits for the answer.
  case waiting
  /// The controller gave its answer.
  case succeeded
  /// The controller threw, or the time was over.
  case failed
  /// The sender or the queue cancelled it.
  case cancelled

  /// True for `succeeded`, `failed` and `cancelled`, which no other state follows.
  public var isFinal: Bool { self == .succeeded || self == .failed || self == .cancelled }
}

/// A step that a message took, as observers see it.
public struct MessageChange: Sendable {
  /// The number of the message, which no other message of its queue has.
  public let id: UInt64
  /// The name of the message's kind: `cart.add`.
  public let name: String
  /// The state that the message came to.
  public let state: MessageState
  /// From 0 to 1, where the controller tells.
  public let progress: Double?
  /// The reason why it failed or was cancelled.
  public let error: FrameworkError?
}

/// A message in the queue, as a debugger lists it.
public struct MessageSummary: Sendable {
  /// The number of the message, which no other message of its queue has.
  public let id: UInt64
  /// The name of the message's kind: `cart.add`.
  public let name: String
  /// The state of the message when the list was made.
  public let state: MessageState
  /// The progress from 0 to 1; nil where the controller has told none.
  public let progress: Double?
  /// Since it was sent.
  public let age: TimeSpan
  /// The input in words.
  public let input: String
}
