package import Hummingbird
package import NIOCore
import Synchronization

/// What belongs to one request beside itself.
package struct ServerContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  package let channel: any Channel
  /// How far its body has been read.
  package let body = BodyProgress()
  /// What who asks may do; set by `Permission`.
  package var grant: Grant?

  package init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }

  /// The address of who asks, without the port.
  package var address: String { channel.remoteAddress?.ipAddress ?? "" }
}

/// How far a request's body has been read; only one reader gets it.
package final class BodyProgress: Sendable {
  package enum State: Int, AtomicRepresentable, Sendable {
    case untouched, begun, done
  }

  private let current = Atomic(State.untouched)
  private let held = Mutex<BodyHold?>(nil)

  /// What the request takes of the budget of bytes; nil where nothing counts.
  package var hold: BodyHold? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }

  package var state: State {
    get { current.load(ordering: .acquiring) }
    set { current.store(newValue, ordering: .releasing) }
  }
}
