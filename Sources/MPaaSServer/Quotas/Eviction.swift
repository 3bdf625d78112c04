import MPaaSDatabase

/// Removes the oldest of what is stored.
///
/// Issues stay with their numbers when their events go.
struct Eviction: Sendable {
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

  /// Rows of one transaction, where each goes by itself.
  private static let batch = 200
  /// Crashes of one transaction, at first, and the least and the most.
  private static let crashes = 5_000
  private static let range = 500...40_000
  /// The time of a transaction of crashes, for which others wait, below which the next has twice as many, and above which it
  /// has half as many.
  private static let (short, long) = (Duration.milliseconds(25), Duration.milliseconds(100))

  private let services: ServerServices
  /// The crash before the next one: a database that has not swept yet would look at all again that went before it.
  private var last: Int64 = 0
  private var atOnce = Self.crashes

  init(_ services: ServerServices) { self.services = services }

  /// The time of the oldest thing of any kind, in seconds since 1970; nil where nothing is left that may go.
  func oldest() async throws -> Double? {
    try await services.store.read { database in
      try Kind.allCases.compactMap { kind -> Double? in
        try database.row(kind.oldest) { $0.isNull(0) ? nil : $0.real(0) } ?? nil
      }.min()
    }
  }

  /// Removes some of the oldest of a kind that came up to a time; gives their number.
  mutating func remove(_ kind: Kind, upTo time: Double) async throws -> Int {
    let count: Int
    switch kind {
    case .crash: count = try await removeCrashes(upTo: time)
    case .upload: count = try await removeUploads(upTo: time)
    case .records: count = try await removeRows("record_batches", upTo: time)
    case .alive: count = try await removeRows("alive_reports", upTo: time)
    case .build: count = try await removeBuilds(upTo: time)
    }
    if count > 0 { services.counts.add("evicted.\(kind.rawValue)", Int64(count)) }
    return count
  }

  private func removeRows(_ table: String, upTo time: Double) async throws -> Int {
    try await services.store.write { database in
      try database.run(
        """
        DELETE FROM \(table) WHERE (app, id) IN
        (SELECT app, id FROM \(table) WHERE received <= ? ORDER BY received LIMIT \(Self.batch))
        """, [.real(time)])
      return database.changes
    }
  }

  private func removeUploads(upTo time: Double) async throws -> Int {
    let uploads = UploadService(services)
    let found = try await services.store.read {
      try UploadRecord.all(
        $0, where: "state = 'whole' AND blob IS NOT NULL AND updated <= ? ORDER BY updated, id LIMIT \(Self.batch)",
        [.real(time)])
    }
    for record in found { try await uploads.remove(record) }
    return found.count
  }

  private func removeBuilds(upTo time: Double) async throws -> Int {
    let count = try await services.store.write { database -> Int in
      let builds = try BuildStore.builds(upTo: time, limit: Self.batch, in: database)
      for build in builds { try BuildStore.remove(build, in: database) }
      return builds.count
    }
    try await services.removals.run()
    return count
  }

  // MARK: - Crashes

  private mutating func removeCrashes(upTo time: Double) async throws -> Int {
    let (after, most, begin) = (last, atOnce, ContinuousClock.now)
    let (count, end, hasBlobs) = try await services.store.write { database in
      try Self.removeCrashes(most, after: after, upTo: time, in: database)
    }
    last = end
    let took = ContinuousClock.now - begin
    if took < Self.short { atOnce = min(atOnce * 2, Self.range.upperBound) }
    if took > Self.long { atOnce = max(atOnce / 2, Self.range.lowerBound) }
    if hasBlobs { try await services.removals.run() }
    if count > 0 { try await BaseRetirement(services: services).run() }
    return count
  }

  /// - Returns: The number of removed ones, the crash before the next one, and whether blobs are to be removed.
  private static func removeCrashes(
    _ most: Int, after last: Int64, upTo time: Double, in database: any SQLDatabase
  ) throws -> (count: Int, last: Int64, hasBlobs: Bool) {
    let first = try database.row(
      "SELECT id FROM crashes WHERE id > ? AND group_id <> 0 ORDER BY id LIMIT 1", [.integer(last)]
    ) { $0.integer(0) }
    guard let first else { return (0, last, false) }
    // Their numbers follow the time at which they came, with few gaps.
    let end = first + Int64(most) - 1
    let newest = try database.row(
      "SELECT received FROM crashes WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1",
      [.integer(first), .integer(end)]
    ) { $0.real(0) }
    let condition = "c.id BETWEEN ? AND ? AND c.group_id <> 0 AND c.received <= ?"
    let values: [SQLValue] = [.integer(first), .integer(end), .real(time)]
    // Attachments, which are few, are looked for first.
    let attached = """
      crash BETWEEN ? AND ? AND EXISTS (SELECT 1 FROM crashes c WHERE c.id = crash_attachments.crash AND \(condition))
      """
    let attachedValues = [.integer(first), .integer(end)] + values
    var blobs = try database.rows("SELECT blob FROM crash_attachments WHERE \(attached)", attachedValues) { $0.text(0) }
    blobs += try database.rows("SELECT c.blob FROM crashes c WHERE \(condition) AND c.blob IS NOT NULL", values) {
      $0.text(0)
    }
    // Reports that others are packed against stay for now, without an app and an issue.
    let bases = try database.rows(
      "SELECT b.crash FROM crash_bases b JOIN crashes c ON c.id = b.crash WHERE b.crash BETWEEN ? AND ? AND \(condition)",
      attachedValues
    ) { $0.integer(0) }
    try database.run("DELETE FROM crash_attachments WHERE \(attached)", attachedValues)
    for base in bases { try IssueStore.remove(crash: base, in: database) }
    try database.run(
      "DELETE FROM crashes WHERE id BETWEEN ? AND ? AND group_id <> 0 AND received <= ?", values)
    let count = database.changes + bases.count
    try BlobRemovals.note(Set(blobs), in: database)
    return (count, newest ?? 0 <= time ? end : last, !blobs.isEmpty)
  }
}
