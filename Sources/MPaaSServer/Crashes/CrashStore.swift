import MPaaSDatabase
import MPaaSDigests
import MPaaSSupport

/// A crash on its way into the store: read, grouped and packed.
struct IncomingCrash: Sendable {
  var app: String
  var summary: CrashSummary
  /// Bytes of the report as it came, decompressed.
  var size: Int
  var packed: ReportPacker.Packed?
  /// The blob of a report that is too large for a row.
  var blob: String?
  /// Seconds since 1970.
  var received: Double
  var attachments: [Attachment] = []
  /// The images without names that its group is not known to lack yet.
  var missing: [MissingImage] = []

  /// A file that came with it, in the folder of blobs.
  struct Attachment: Sendable, Equatable {
    var filename: String
    var type: String
    var blob: String
    var size: Int64
  }

  /// The keys by which reports are alike, the most telling first.
  var keys: [String] {
    ReportKeys.of(
      app: app, group: summary.group, format: summary.format, process: summary.process, version: summary.version)
  }
}

/// The outcome of a crash.
struct StoredCrash: Sendable, Equatable {
  let id: Int64
  let isDuplicate: Bool
  /// The name of its group.
  let group: String
  /// The group's number, where this crash is its first.
  var newGroup: Int64?
  /// The facts that need not be noted of its issue again.
  var fresh: IssueMemory.Fresh?
}

/// Crashes in the database.
enum CrashStore {
  /// Keeps a crash and counts it in its group; one with the same event is answered as it was the first time.
  static func insert(
    _ crash: IncomingCrash, _ memory: IssueMemory, in database: any SQLDatabase
  ) throws -> StoredCrash {
    let summary = crash.summary
    let event = SQLValue.blob(bytes(ofEvent: summary.event))
    let known = try database.row(
      """
      SELECT next.id, c.id, g.name FROM (SELECT coalesce(max(id), 0) + 1 AS id FROM crashes) AS next
      LEFT JOIN crashes c ON c.event = ?1 AND c.app = ?2 LEFT JOIN crash_groups g ON g.id = c.group_id
      """, [event, .text(crash.app)]
    ) { (next: $0.integer(0), id: $0.optionalInteger(1), group: $0.text(2)) }
    if let known, let id = known.id { return StoredCrash(id: id, isDuplicate: true, group: known.group) }
    let id = known?.next ?? 1
    let group = try join(summary, app: crash.app, at: crash.received, in: database)
    try database.run(
      """
      INSERT INTO crashes (id, app, event, group_id, format, received, captured, title, process, version, system, device,
      user, level, environment, size, base, body, blob)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(id), .text(crash.app), event, .integer(group.id), .text(summary.format), .real(crash.received),
        .real(summary.captured), .text(summary.title), .text(summary.process), .text(summary.version),
        .text(summary.system), .text(summary.device), .text(summary.user), .text(summary.level),
        .text(summary.environment), .integer(crash.size), .optional(crash.packed?.base),
        crash.packed.map { .blob($0.bytes) } ?? .null, .optional(crash.blob),
      ])
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
    try MissingImages.add(crash.missing, to: group.id, app: crash.app, in: database)
    let fresh = try IssueStore.note(summary.facts, group, app: crash.app, at: crash.received, memory, in: database)
    return StoredCrash(
      id: id, isDuplicate: false, group: summary.group, newGroup: group.count == 1 ? group.id : nil, fresh: fresh)
  }

  /// Counts a crash in its group, which is made where it is the first.
  static func join(
    _ summary: CrashSummary, app: String, at received: Double, in database: any SQLDatabase
  ) throws -> IssueStore.Joined {
    let group = try database.row(
      """
      INSERT INTO crash_groups AS own
      (app, name, strategy, kind, exception, title, function, module, place, process, count, first, last, id, level)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 1, ?11, ?11, ?12, ?13)
      ON CONFLICT (app, name) DO UPDATE SET count = own.count + 1,
      first = CASE WHEN own.first < excluded.first THEN own.first ELSE excluded.first END,
      title = CASE WHEN excluded.last < own.last THEN own.title ELSE excluded.title END,
      level = CASE WHEN excluded.last < own.last THEN own.level ELSE excluded.level END,
      last = CASE WHEN own.last > excluded.last THEN own.last ELSE excluded.last END,
      function = CASE excluded.function WHEN '' THEN own.function ELSE excluded.function END,
      place = CASE excluded.place WHEN '' THEN own.place ELSE excluded.place END RETURNING \(IssueStore.joinedColumns)
      """,
      [
        .text(app), .text(summary.group), .text(summary.strategy), .text(summary.kind), .text(summary.exception),
        .text(summary.title), .text(summary.function), .text(summary.module), .text(summary.place),
        .text(summary.process), .real(received), .integer(IssueStore.id(app: app, name: summary.group)),
        .text(summary.level),
      ], IssueStore.joined)
    return group ?? IssueStore.Joined(id: 0, count: 0, state: .unresolved, rule: nil, mergedInto: nil, users: 0)
  }

  /// Keeps what symbols made known of a group whose reports came without.
  static func name(_ group: Int64, function: String, place: String, in database: any SQLDatabase) throws {
    try database.run(
      "UPDATE crash_groups SET function = ?, place = ? WHERE id = ?", [.text(function), .text(place), .integer(group)])
  }

  /// The report of a crash as it was sent; nil where there is no such crash.
  ///
  /// - Throws: `stored-report-damaged` where the bytes are not what was written.
  static func report(of id: Int64, in database: any SQLDatabase, blobs: BlobFolder) throws -> [UInt8]? {
    let found = try database.row("SELECT body, base, blob, size FROM crashes WHERE id = ?", [.integer(id)]) { row in
      (row.blob(0), row.optionalInteger(1), row.optionalText(2), Int(row.integer(3)))
    }
    guard let (body, base, blob, size) = found else { return nil }
    if let blob {
      let bytes = try? blobs.bytes(of: blob)
      guard let bytes, bytes.count == size, bytes.sha256.hexadecimal == blob else {
        throw ServerError(.reportDamaged, ["crash": String(id)])
      }
      return bytes
    }
    let content = try base.flatMap { base in
      try database.row("SELECT body, size FROM crashes WHERE id = ?", [.integer(base)]) { row in
        ReportPacker.unpack(row.blob(0), base: nil, limit: Int(row.integer(1)))
      } ?? nil
    }
    guard base == nil || content != nil, let report = ReportPacker.unpack(body, base: content, limit: size),
      report.count == size
    else { throw ServerError(.reportDamaged, ["crash": String(id)]) }
    return report
  }

  /// The newest reports that others were packed against, the oldest first, with their keys.
  static func bases(
    _ count: Int, in database: any SQLDatabase
  ) throws -> [(id: Int64, keys: [String], content: [UInt8])] {
    try database.rows(
      """
      SELECT b.crash, b.keys, c.body, c.size FROM crash_bases b JOIN crashes c ON c.id = b.crash
      ORDER BY b.crash DESC LIMIT ?
      """, [.integer(count)]
    ) { row in
      let content = ReportPacker.unpack(row.blob(2), base: nil, limit: Int(row.integer(3)))
      return content.map { (row.integer(0), row.text(1).split(separator: "\n").map(String.init), $0) }
    }.compactMap { $0 }.reversed()
  }

  /// The 16 bytes that an event's 32 digits stand for.
  static func bytes(ofEvent event: String) -> [UInt8] {
    let digits = event.utf8.compactMap { byte -> UInt8? in
      switch byte {
      case 0x30...0x39: byte - 0x30
      case 0x61...0x66: byte - 0x57
      default: nil
      }
    }
    guard digits.count == 32 else { return Array(event.utf8) }
    return stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
