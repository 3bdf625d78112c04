import NIOCore
import Synchronization

/// The connections that are told of changes; a message is encoded once, and all that wait for it share its bytes.
///
/// A connection takes no time while nothing happens: its task sleeps until a message comes.
final class FlagAudience: Sendable {
  /// The messages that a connection waits for.
  enum Kind: Sendable, Hashable {
    /// Events of Unleash's delta.
    case unleash(FlagProjects)
    /// That OpenFeature's clients are to ask again.
    case remote
    /// Versions, for operators.
    case versions
  }

  /// A connection that listens.
  struct Listener: Sendable {
    let number: Int
    let messages: AsyncStream<ByteBuffer>
    let end: @Sendable () -> Void
  }

  private struct State {
    var next = 0
    var listeners: [Int: Place] = [:]
  }

  private struct Place {
    let kind: Kind
    /// The time when the token of the client expires.
    let expires: Double
    let continuation: AsyncStream<ByteBuffer>.Continuation
  }

  /// Messages that may wait for a connection; one that takes them more slowly is ended, and begins anew.
  private static let mostWaiting = 32
  private static let heartbeat = ByteBuffer(string: ": \n\n")

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.listeners.count } }

  /// - Parameter expires: The time from which it is told nothing more.
  func join(_ kind: Kind, until expires: Double = .infinity) -> Listener {
    let (messages, continuation) = AsyncStream.makeStream(
      of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(Self.mostWaiting))
    let number = state.withLock { state in
      state.next += 1
      state.listeners[state.next] = Place(kind: kind, expires: expires, continuation: continuation)
      return state.next
    }
    return Listener(number: number, messages: messages) { continuation.finish() }
  }

  func leave(_ listener: Listener) {
    let left = state.withLock { $0.listeners.removeValue(forKey: listener.number) }
    left?.continuation.finish()
  }

  /// Sends a message to all that wait for it.
  ///
  /// - Parameter encode: The message of a kind; nil for none.
  func send(_ encode: (Kind) -> ByteBuffer?) {
    let listeners = state.withLock { $0.listeners }
    var messages: [Kind: ByteBuffer?] = [:]
    for (number, listener) in listeners {
      if messages[listener.kind] == nil { messages[listener.kind] = .some(encode(listener.kind)) }
      guard let message = messages[listener.kind] ?? nil else { continue }
      if case .dropped = listener.continuation.yield(message) {
        listener.continuation.finish()
        state.withLock { $0.listeners[number] = nil }
      }
    }
  }

  /// Sends a line that says nothing, by which both ends learn of connections that are dead, and ends those whose time
  /// is over.
  func beat(at now: Double = -.infinity) {
    let over = state.withLock { state in
      let over = state.listeners.filter { $0.value.expires <= now }
      for number in over.keys { state.listeners[number] = nil }
      return over
    }
    for place in over.values { place.continuation.finish() }
    send { _ in Self.heartbeat }
  }
}

/// A server-sent event.
enum ServerSentEvent {
  /// - Parameter data: One line of JSON.
  static func message(_ event: String, id: Int, _ data: String) -> ByteBuffer {
    ByteBuffer(string: "event: \(event)\nid: \(id)\ndata: \(data)\n\n")
  }
}
