import MPaaSProtocol
import Synchronization

/// Removes what came before the days for which it is kept, where a number of them was given.
///
/// Builds stay, which people install; so do issues with their numbers, sessions and counts, which have times of their own.
final class Retention: Sendable {
  private static let kinds: [Eviction.Kind] = [.crash, .records, .upload, .alive]
  /// The time of one turn.
  private static let patience = Duration.seconds(3)
  /// Seconds between two looks while nothing is too old.
  private static let pause = 60.0

  private let services: ServerServices
  private let looked = Mutex(-Double.infinity)

  init(_ services: ServerServices) { self.services = services }

  /// Looks, and removes as much as the time of a turn allows.
  func keep() async {
    let (days, now) = (services.limits.days, services.now())
    guard days > 0, now - looked.withLock({ $0 }) >= Self.pause else { return }
    let (time, end) = (now - Double(days) * 86_400, ContinuousClock.now + Self.patience)
    var eviction = Eviction(services)
    for kind in Self.kinds {
      while let count = try? await eviction.remove(kind, upTo: time), count > 0 {
        if ContinuousClock.now >= end { return }
      }
    }
    looked.withLock { $0 = now }
  }
}
