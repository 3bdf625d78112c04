import MPaaSSupport
import MPaaSToolSupport
import NIOCore
import Synchronization

/// Gives free memory back to the system, however many proxies and loops ask for it: once in a second at most, and once
/// more after the last of them has asked.
struct MemoryReturn {
  /// The fate of a wish.
  enum Answer: Equatable {
    case now
    case later(NIODeadline)
    /// It is done later anyway.
    case planned
  }

  private static let pause = TimeAmount.seconds(1)
  private static let shared = Mutex(MemoryReturn())

  private var last: NIODeadline?
  private var planned: NIODeadline?

  mutating func ask(at now: NIODeadline) -> Answer {
    // A loop that has ended does not do what it had planned.
    if let planned, now < planned + Self.pause { return .planned }
    if let last, now < last + Self.pause {
      planned = last + Self.pause
      return .later(last + Self.pause)
    }
    begin(at: now)
    return .now
  }

  /// The memory is given back now.
  mutating func begin(at now: NIODeadline) {
    last = now
    planned = nil
  }

  /// Gives it back now or, by `loop`, later.
  static func ask(on loop: any EventLoop) {
    switch shared.withLock({ $0.ask(at: .now()) }) {
    case .planned: break
    case .now: FreeMemory.giveBack()
    case .later(let time):
      loop.scheduleTask(deadline: time) {
        shared.withLock { $0.begin(at: .now()) }
        FreeMemory.giveBack()
      }
    }
  }
}
