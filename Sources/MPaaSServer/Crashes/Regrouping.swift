import MPaaSCrash
import MPaaSDatabase
import MPaaSSupport

/// Groups stored crashes anew where the rules, or the way to group itself, have changed since they were grouped.
///
/// It goes on from crash to crash in small transactions, between which others write; a server that was killed goes on where
/// it was. Crashes that come in meanwhile are grouped by the new rules already.
struct Regrouping: Sendable {
  private static let batch = 64
  /// Counts what the server itself does otherwise than it did: messages that have a stack, and issues.
  private static let version = 1

  private let services: ServerServices
  private let reading: ReportReading
  private let unnamed: UnnamedGroups

  init(_ intake: CrashIntake) {
    services = intake.services
    reading = intake.reading
    unnamed = intake.services.unnamed
  }

  private struct Move: Sendable {
    let crash: StoredReport
    let summary: CrashSummary

    /// Tells whether the crash is in its group already.
    var isInPlace: Bool { summary.group == crash.name }
  }

  /// Notes that the rules, or the way to group, are others than those that crashes are grouped by; then all are to be
  /// looked at again.
  func begin() async throws {
    let digest = "\(GroupID.version).\(Self.version):" + services.rules.current.digest
    let known = try await services.store.read { try $0.row("SELECT rules FROM crash_regrouping") { $0.text(0) } }
    guard known ?? "" != digest else { return }
    try await services.store.write { database in
      try database.run(
        """
        INSERT INTO crash_regrouping VALUES (1, ?, CASE WHEN EXISTS (SELECT 1 FROM crashes) THEN 0 END)
        ON CONFLICT (id) DO UPDATE SET rules = excluded.rules, done = excluded.done
        """, [.text(digest)])
    }
  }

  /// Goes on until all are done or the time is over.
  ///
  /// - Returns: Whether all are done.
  @discardableResult
  func run(for patience: Duration) async throws -> Bool {
    let end = ContinuousClock.now + patience
    while try await step() {
      if ContinuousClock.now >= end { return false }
    }
    return true
  }

  /// Looks at the next crashes; false where there are none.
  private func step() async throws -> Bool {
    let rows = try await services.store.read { database -> [StoredReport]? in
      let done = try database.row("SELECT done FROM crash_regrouping") { $0.optionalInteger(0) } ?? nil
      return try done.map {
        try StoredReport.all(where: "c.id > ?", [.integer($0)], order: "c.id", Self.batch, in: database)
      }
    }
    guard let rows else { return false }
    let found = try await StoredReport.whole(rows, from: services.blobs)
    let moves = found.isEmpty ? [] : try await services.disk { [reading] in Self.moves(found, reading) }
    let last = found.last?.id
    let fresh = try await services.store.write { database in
      let fresh = try Self.apply(moves, in: database)
      try database.run("UPDATE crash_regrouping SET done = ?", [.optional(last)])
      return fresh
    }
    for (group, crash) in fresh { unnamed.add(group, crash: crash) }
    let moved = moves.count { !$0.isInPlace }
    if moved > 0 { services.counts.add("regrouped.crash", Int64(moved)) }
    return last != nil
  }

  private static func moves(_ crashes: [StoredReport], _ reading: ReportReading) -> [Move] {
    crashes.compactMap { crash in crash.summary(reading).map { Move(crash: crash, summary: $0) } }
  }

  /// Moves crashes to their groups, and notes what issues are searched by.
  ///
  /// - Returns: Groups that are new and have no function's name, with a crash of each.
  private static func apply(_ moves: [Move], in database: any SQLDatabase) throws -> [(group: Int64, crash: Int64)] {
    var fresh: [(Int64, Int64)] = []
    var left: [Int64: (app: String, times: [Double], heir: Int64)] = [:]
    let memory = IssueMemory()
    // Crashes may have been removed since they were read; nothing of them is to be noted again.
    let there = try CrashStore.left(moves.map(\.crash), in: database)
    let moves = moves.filter { there.contains($0.crash.id) }
    for move in moves where move.isInPlace {
      let (crash, summary) = (move.crash, move.summary)
      try IssueStore.complete(
        summary.facts, level: summary.level, crash.group, app: crash.app, at: crash.received, memory, in: database)
    }
    let moved = moves.filter { !$0.isInPlace }
    let counted = try IssueBatch.count(
      moved.map { IssueBatch.Event(app: $0.crash.app, summary: $0.summary, time: $0.crash.received) }, mayEnd: false,
      memory, in: database)
    for (move, counted) in zip(moved, counted) {
      let (crash, summary) = (move.crash, move.summary)
      try MissingImages.add(summary.missing, to: counted.group, app: crash.app, in: database)
      try database.run(
        "UPDATE crashes SET group_id = ? WHERE id = ?", [.integer(counted.group), .integer(crash.id)])
      if counted.isFirst, summary.function.isEmpty { fresh.append((counted.group, crash.id)) }
      left[crash.group, default: (crash.app, [], counted.group)].times.append(crash.received)
    }
    for (group, (app, times, heir)) in left {
      try IssueStore.leave(group, app: app, times, heir: heir, in: database)
    }
    return fresh
  }
}
