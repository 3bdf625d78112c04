import MPaaSDatabase
import MPaaSProtocol
import Synchronization

/// Keeps what is stored within a number of bytes: the oldest goes first, of whatever kind it is.
///
/// Issues stay with their numbers when their events go; so do sessions and all counts, which take little.
final class DiskBudget: Sendable {
  /// The time of one turn.
  private static let patience = Duration.seconds(3)
  /// Seconds between two looks while there is room.
  private static let pause = 30.0
  /// The share of the budget that is left after evicting.
  private static let share = 0.95
  /// The share of the time since the oldest thing came that one step is about, and the least seconds of it.
  private static let step = 0.02
  private static let leastStep = 60.0

  private let services: ServerServices
  private let looked = Mutex(-Double.infinity)

  init(_ services: ServerServices) { self.services = services }

  /// Looks, and evicts as far as the time of a turn allows.
  func keep() async {
    let most = services.limits.disk
    guard most > 0, isDue() else { return }
    let end = ContinuousClock.now + Self.patience
    guard var used = try? await used(), used > most else { return note() }
    let enough = Int64(Double(most) * Self.share)
    var eviction = Eviction(services)
    while used > enough, ContinuousClock.now < end {
      guard let oldest = try? await eviction.oldest() else { return note() }
      let time = oldest + max((services.now() - oldest) * Self.step, Self.leastStep)
      var count = 0
      for kind in Eviction.Kind.allCases {
        guard let removed = try? await eviction.remove(kind, upTo: time) else { return note() }
        count += removed
      }
      guard count > 0 else { return note() }
      guard let left = try? await self.used() else { return }
      used = left
    }
    if used <= enough { note() }
  }

  private func isDue() -> Bool { services.now() - looked.withLock { $0 } >= Self.pause }
  private func note() { looked.withLock { $0 = services.now() } }

  /// Bytes of the database's rows, where the engine tells them, and of blobs.
  func used() async throws -> Int64 {
    let rows = try await services.store.read { try $0.usedBytes() ?? 0 }
    if let blobs = try await services.blobs.usedBytes() { return rows + blobs }
    return rows + (try await services.store.read { try Self.named($0) })
  }

  /// Bytes of all blobs that rows name, each once.
  private static func named(_ database: any SQLDatabase) throws -> Int64 {
    try database.row(
      """
      SELECT coalesce(sum(size), 0) FROM (
        SELECT blob, max(size) AS size FROM (
          SELECT blob, offset AS size FROM uploads WHERE blob IS NOT NULL
          UNION ALL SELECT blob, size FROM crashes WHERE blob IS NOT NULL
          UNION ALL SELECT blob, size FROM crash_attachments
          UNION ALL SELECT blob, size FROM builds
        ) AS named GROUP BY blob
      ) AS sizes
      """
    ) { $0.integer(0) } ?? 0
  }
}
