package import Hummingbird
package import NIOCore
import Synchronization

/// The state of one request.
package struct ServerContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  package let channel: any Channel
  /// The place of the request in the order in which requests came.
  let number = Self.numbers.wrappingAdd(1, ordering: .relaxed).newValue
  /// The progress of reading its body.
  package let body = BodyProgress()
  /// The permissions of the caller; set by `Permission`.
  package var grant: Grant?

  private static let numbers = Atomic<Int>(0)

  package init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }

  /// The address of the caller, without the port.
  package var address: String { channel.remoteAddress?.ipAddress ?? "" }
}

/// The progress of reading a request's body; only one reader gets it.
package final class BodyProgress: Sendable {
  package enum State: Int, AtomicRepresentable, Sendable {
    case untouched, begun, done
  }

  private let current = Atomic(State.untouched)
  private let held = Mutex<BodyHold?>(nil)

  /// The bytes that the request takes of the budget of bytes; nil where nothing counts.
  package var hold: BodyHold? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }

  package var state: State {
    get { current.load(ordering: .acquiring) }
    set { current.store(newValue, ordering: .releasing) }
  }
}
