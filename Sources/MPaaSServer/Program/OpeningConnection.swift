import HummingbirdCore
import NIOCore
import Synchronization

/// A connection whose HTTP is set up once its client has begun to speak TLS.
///
/// Until then there is nothing but the gate before TLS; a client that never goes on costs little more than its socket.
final class OpeningConnection: ServerChildChannelValue {
  private enum State {
    case opening(CheckedContinuation<HTTP1Channel.Value?, Never>?)
    case open(HTTP1Channel.Value?)
  }

  let channel: any Channel
  private let state = Mutex(State.opening(nil))

  init(_ channel: any Channel) { self.channel = channel }

  /// Hands over what speaks HTTP, or nil where the connection ended before; the first call counts.
  func open(_ http: HTTP1Channel.Value?) {
    let waiting = state.withLock { state -> CheckedContinuation<HTTP1Channel.Value?, Never>? in
      guard case .opening(let waiting) = state else { return nil }
      state = .open(http)
      return waiting
    }
    waiting?.resume(returning: http)
  }

  /// Waits for what speaks HTTP; where the task is cancelled, the connection is closed.
  ///
  /// - Returns: nil where the connection ended before its client had begun.
  func http() async -> HTTP1Channel.Value? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let found = state.withLock { state -> State in
          if case .opening = state { state = .opening(continuation) }
          return state
        }
        if case .open(let http) = found { continuation.resume(returning: http) }
      }
    } onCancel: {
      if state.withLock({ if case .opening = $0 { true } else { false } }) { channel.close(promise: nil) }
    }
  }
}
