import MPaaSDatabase
import MPaaSSupport

/// Crashes that one change of the database stores.
struct CrashBatch {
  private struct Event: Hashable {
    let app: String
    let event: [UInt8]
  }

  private var crashes: [IncomingCrash]
  private let events: [Event]
  private let memory: IssueMemory
  private let database: any SQLDatabase

  /// Keeps crashes and counts them in their groups; one with the same event as another is answered as that was.
  ///
  /// - Parameter packer: The one that packed them, where other servers may take bases away.
  /// - Returns: One for each crash, in their order.
  static func store(
    _ crashes: [IncomingCrash], _ memory: IssueMemory, packer: ReportPacker? = nil, in database: any SQLDatabase
  ) throws -> [StoredCrash] {
    var batch = CrashBatch(crashes, memory, database)
    let bases = try packer.map { try batch.followBases($0) } ?? 0
    let stored = try batch.store(bases)
    if packer != nil { try batch.count(stored) }
    return stored
  }

  private init(_ crashes: [IncomingCrash], _ memory: IssueMemory, _ database: any SQLDatabase) {
    (self.crashes, self.memory, self.database) = (crashes, memory, database)
    events = crashes.map { Event(app: $0.app, event: CrashStore.bytes(ofEvent: $0.summary.event)) }
  }

  /// Packs those otherwise whose bases another server has begun to take away since; within this transaction it takes no
  /// further one.
  private mutating func followBases(_ packer: ReportPacker) throws -> Int64 {
    let edition = try packer.follow(in: database)
    for place in crashes.indices {
      guard let packed = crashes[place].packed, packed.base != nil, packed.edition != edition else { continue }
      guard let alone = packed.alone(size: crashes[place].size) else { throw ServerError(.busy) }
      crashes[place].packed = alone
    }
    return edition
  }

  /// Counts what is new in the same transaction: a server that is killed behind it has counted all of it.
  private func count(_ stored: [StoredCrash]) throws {
    let sizes = zip(stored, crashes).filter { !$0.0.isDuplicate }.map { Int64($0.1.size) }
    guard !sizes.isEmpty else { return }
    try ServerCounts.store(
      ["accepted.crash": Int64(sizes.count), "bytes.crash": sizes.reduce(0, +)], in: database)
  }

  /// - Parameter bases: The number of bases that had been taken away.
  private func store(_ bases: Int64) throws -> [StoredCrash] {
    var known = try stored()
    var next = try database.row("SELECT coalesce(max(id), 0) + 1 FROM crashes") { $0.integer(0) } ?? 1
    var answers: [StoredCrash?] = crashes.map { _ in nil }
    var fresh: [(place: Int, id: Int64)] = []
    for (place, event) in events.enumerated() {
      if let found = known[event] {
        answers[place] = found
        continue
      }
      known[event] = StoredCrash(id: next, isDuplicate: true, group: crashes[place].summary.group)
      fresh.append((place, next))
      next += 1
    }
    let counted = try IssueBatch.count(
      fresh.map { place, _ in
        IssueBatch.Event(app: crashes[place].app, summary: crashes[place].summary, time: crashes[place].received)
      }, memory, in: database)
    try insert(zip(fresh, counted).map { row(crashes[$0.place], events[$0.place], $0.id, group: $1.group) })
    for ((place, id), counted) in zip(fresh, counted) {
      try addBelonging(to: crashes[place], id, counted)
      answers[place] = StoredCrash(
        id: id, isDuplicate: false, group: crashes[place].summary.group,
        newGroup: counted.isFirst ? counted.group : nil, fresh: counted.fresh, bases: bases)
    }
    return answers.compactMap { $0 }
  }

  /// The crashes with these events that are there already.
  private func stored() throws -> [Event: StoredCrash] {
    let found = try database.rows(
      forEach: Set(events).map { [.blob($0.event), .text($0.app)] },
      """
      SELECT c.event, c.app, c.id, g.name FROM crashes c LEFT JOIN crash_groups g ON g.id = c.group_id
      WHERE c.event = ? AND c.app = ?
      """
    ) { row in
      (
        Event(app: row.text(1), event: row.blob(0)),
        StoredCrash(id: row.integer(2), isDuplicate: true, group: row.text(3))
      )
    }
    return Dictionary(found) { first, _ in first }
  }

  private func insert(_ rows: [[SQLValue]]) throws {
    // A statement is prepared for each choice of values that are null.
    let alike = Dictionary(grouping: rows) { row in row.map { $0 == .null } }
    for rows in alike.values {
      try database.run(overRows: rows) {
        """
        INSERT INTO crashes (id, app, event, group_id, format, received, captured, title, process, version, system, device,
        user, level, environment, size, base, body, blob) VALUES \($0)
        """
      }
    }
  }

  private func row(_ crash: IncomingCrash, _ event: Event, _ id: Int64, group: Int64) -> [SQLValue] {
    let summary = crash.summary
    return [
      .integer(id), .text(crash.app), .blob(event.event), .integer(group), .text(summary.format),
      .real(crash.received), .real(summary.captured), .text(summary.title), .text(summary.process),
      .text(summary.version), .text(summary.system), .text(summary.device), .text(summary.user),
      .text(summary.level), .text(summary.environment), .integer(crash.size), .optional(crash.packed?.base),
      crash.packed.map { .blob($0.bytes) } ?? .null, .optional(crash.blob),
    ]
  }

  /// Adds what came with a crash, and what its images lack.
  private func addBelonging(to crash: IncomingCrash, _ id: Int64, _ counted: IssueBatch.Counted) throws {
    for attachment in crash.attachments {
      try database.run(
        """
        INSERT INTO crash_attachments (id, crash, filename, type, blob, size)
        VALUES ((SELECT coalesce(max(id), 0) + 1 FROM crash_attachments), ?, ?, ?, ?, ?)
        """,
        [
          .integer(id), .text(attachment.filename), .text(attachment.type), .text(attachment.blob),
          .integer(attachment.size),
        ])
    }
    if crash.packed?.isBase == true {
      try database.run(
        "INSERT INTO crash_bases VALUES (?, ?)", [.integer(id), .text(crash.keys.joined(separator: "\n"))])
    }
    // A group that was removed and comes again has lost what it was known to lack.
    let missing = counted.isFirst ? crash.summary.missing : crash.missing
    try MissingImages.add(missing, to: counted.group, app: crash.app, in: database)
  }
}
