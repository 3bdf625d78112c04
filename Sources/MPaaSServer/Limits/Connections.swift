import NIOCore
import Synchronization

/// The connections that are open: how many there may be, and which of them are of the reserve.
///
/// The reserve is for operators and for those who look after the server, once all other places are taken.
final class Connections: Sendable {
  private struct State {
    var count = 0
    var opened = 0
    var reserved: Set<ObjectIdentifier> = []
  }

  /// The time that a connection of the reserve may say nothing.
  static let reservePatience = TimeAmount.seconds(2)

  /// Places for everybody.
  let usual: Int
  let reserve: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - wanted: Places for everybody.
  ///   - files: Files that the process may have open; half of them are left for other files, or of many a quarter.
  init(_ wanted: Int, files: Int) {
    let most = max(files - min(files / 2, max(files / 4, 4096)), 2)
    reserve = min(max(min(wanted, most) / 16, 8), most / 2)
    usual = max(min(wanted, most - reserve), 1)
  }

  /// Connections since the start.
  var opened: Int { state.withLock { $0.opened } }
  var count: Int { state.withLock { $0.count } }

  /// Places that are free, those of the reserve too.
  var left: Int { max(usual + reserve - count, 0) }
  /// Tells whether no more are taken, not even into the reserve.
  var isFull: Bool { left == 0 }

  func open(_ channel: any Channel) {
    state.withLock { state in
      state.count += 1
      state.opened += 1
      if state.count > usual { state.reserved.insert(ObjectIdentifier(channel)) }
    }
  }

  func close(_ channel: any Channel) {
    state.withLock { state in
      state.count -= 1
      state.reserved.remove(ObjectIdentifier(channel))
    }
  }

  /// Tells whether a connection is one of the reserve.
  func isReserved(_ channel: any Channel) -> Bool {
    state.withLock { $0.reserved.contains(ObjectIdentifier(channel)) }
  }
}
