import MPaaSDatabase
import MPaaSProtocol
import Synchronization

/// Keeps what is stored within a number of bytes: the oldest goes first, of whatever kind it is.
///
/// Issues stay with their numbers when their events go; so do sessions and all counts, which take little.
final class DiskBudget: Sendable {
  /// Rows of one transaction, and the time of one turn.
  private static let batch = 200
  private static let patience = Duration.seconds(3)
  /// Seconds between two looks while there is room.
  private static let pause = 30.0
  /// The share of the budget that is left after evicting.
  private static let share = 0.95
  /// The share of the time since the oldest thing came that one step is about, and the least seconds of it.
  private static let step = 0.02
  private static let leastStep = 60.0

  /// The kinds of what may go.
  enum Kind: String, CaseIterable, Sendable {
    case crash, records, upload, alive, build

    /// The time of the oldest one, in seconds since 1970.
    fileprivate var oldest: String {
      switch self {
      case .crash: "SELECT received FROM crashes WHERE group_id <> 0 ORDER BY id LIMIT 1"
      case .records: "SELECT min(received) FROM record_batches"
      case .upload: "SELECT min(updated) FROM uploads WHERE state = 'whole' AND blob IS NOT NULL"
      case .alive: "SELECT min(received) FROM alive_reports"
      case .build: "SELECT min(received) FROM builds"
      }
    }
  }

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
    while used > enough, ContinuousClock.now < end {
      guard let oldest = try? await oldest() else { return note() }
      let time = oldest + max((services.now() - oldest) * Self.step, Self.leastStep)
      guard (try? await evict(before: time)) ?? 0 > 0 else { return note() }
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

  /// The time of the oldest thing; nil where nothing is left that may go.
  private func oldest() async throws -> Double? {
    try await services.store.read { database in
      try Kind.allCases.compactMap { kind -> Double? in
        try database.row(kind.oldest) { $0.isNull(0) ? nil : $0.real(0) } ?? nil
      }.min()
    }
  }

  /// Removes some of what came up to a time, of each kind; gives their number.
  private func evict(before time: Double) async throws -> Int {
    var count = 0
    for kind in Kind.allCases { count += try await evict(kind, before: time) }
    return count
  }

  /// Removes some of the oldest of a kind; gives their number.
  private func evict(_ kind: Kind, before time: Double) async throws -> Int {
    let count: Int
    switch kind {
    case .crash: count = try await evictCrashes(before: time)
    case .upload: count = try await evictUploads(before: time)
    case .records: count = try await evictRows("record_batches", before: time)
    case .alive: count = try await evictRows("alive_reports", before: time)
    case .build: count = try await evictBuilds(before: time)
    }
    if count > 0 { services.counts.add("evicted.\(kind.rawValue)", Int64(count)) }
    return count
  }

  private func evictRows(_ table: String, before time: Double) async throws -> Int {
    try await services.store.write { database in
      try database.run(
        """
        DELETE FROM \(table) WHERE (app, id) IN
        (SELECT app, id FROM \(table) WHERE received <= ? ORDER BY received LIMIT \(Self.batch))
        """, [.real(time)])
      return database.changes
    }
  }

  private func evictUploads(before time: Double) async throws -> Int {
    let uploads = UploadService(services)
    let found = try await services.store.read {
      try UploadRecord.all(
        $0, where: "state = 'whole' AND blob IS NOT NULL AND updated <= ? ORDER BY updated, id LIMIT \(Self.batch)",
        [.real(time)])
    }
    for record in found { try await uploads.remove(record) }
    return found.count
  }

  private func evictBuilds(before time: Double) async throws -> Int {
    let count = try await services.store.write { database -> Int in
      let builds = try BuildStore.builds(upTo: time, limit: Self.batch, in: database)
      for build in builds { try BuildStore.remove(build, in: database) }
      return builds.count
    }
    try await services.removals.run()
    return count
  }

  private func evictCrashes(before time: Double) async throws -> Int {
    let count = try await services.store.write { database -> Int in
      // Their numbers follow the time at which they came.
      let rows = try database.rows(
        "SELECT id, blob, received FROM crashes WHERE group_id <> 0 ORDER BY id LIMIT \(Self.batch)"
      ) { (id: $0.integer(0), blob: $0.optionalText(1), received: $0.real(2)) }.filter { $0.received <= time }
      var blobs: Set<String> = []
      for row in rows {
        blobs.formUnion(try CrashStore.attachments(of: row.id, in: database).map(\.blob))
        if let blob = row.blob { blobs.insert(blob) }
        try IssueStore.remove(crash: row.id, in: database)
      }
      try BlobRemovals.note(blobs, in: database)
      return rows.count
    }
    try await services.removals.run()
    if count > 0 { try await BaseRetirement(services: services).run() }
    return count
  }
}
