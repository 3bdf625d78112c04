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
  /// The number of bases that had been taken away, where other servers may do so.
  var bases: Int64 = 0
}

/// Crashes in the database.
enum CrashStore {
  /// Those of some crashes that are still there, and in the group in which they were read.
  static func left(_ crashes: [StoredReport], in database: any SQLDatabase) throws -> Set<Int64> {
    let found = try database.rows(
      forEach: crashes.map { [.integer($0.id), .integer($0.group)] },
      "SELECT id FROM crashes WHERE id = ? AND group_id = ?"
    ) { $0.integer(0) }
    return Set(found)
  }

  /// Keeps what symbols made known of a group whose reports came without.
  static func name(_ group: Int64, function: String, place: String, in database: any SQLDatabase) throws {
    try database.run(
      "UPDATE crash_groups SET function = ?, place = ? WHERE id = ?", [.text(function), .text(place), .integer(group)])
  }

  /// The content of a report as far as the database has it.
  enum Content: Sendable {
    case bytes([UInt8])
    case blob(String, size: Int)
  }

  /// The report of a crash as it was sent, or the blob that it is; nil where there is no such crash.
  ///
  /// - Throws: `stored-report-damaged` where the bytes are not what was written.
  static func content(of id: Int64, in database: any SQLDatabase) throws -> Content? {
    let found = try database.row("SELECT body, base, blob, size FROM crashes WHERE id = ?", [.integer(id)]) { row in
      (row.blob(0), row.optionalInteger(1), row.optionalText(2), Int(row.integer(3)))
    }
    guard let (body, base, blob, size) = found else { return nil }
    if let blob { return .blob(blob, size: size) }
    let content = try base.flatMap { base in
      try database.row("SELECT body, size FROM crashes WHERE id = ?", [.integer(base)]) { row in
        ReportPacker.unpack(row.blob(0), base: nil, limit: Int(row.integer(1)))
      } ?? nil
    }
    guard base == nil || content != nil, let report = ReportPacker.unpack(body, base: content, limit: size),
      report.count == size
    else { throw ServerError(.reportDamaged, ["crash": String(id)]) }
    return .bytes(report)
  }

  /// The report of a crash as it was sent, read from its blob where it is one.
  ///
  /// - Throws: `stored-report-damaged` where the bytes are not what was written, `server-blobs-away`.
  static func report(_ content: Content, of id: Int64, from blobs: any BlobStore) async throws -> [UInt8] {
    switch content {
    case .bytes(let bytes): return bytes
    case .blob(let blob, let size):
      guard let bytes = try await blobs.bytes(of: blob), bytes.count == size, bytes.sha256.hexadecimal == blob else {
        throw ServerError(.reportDamaged, ["crash": String(id)])
      }
      return bytes
    }
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

extension ServerServices {
  /// The report of a crash as it was sent; nil where there is none.
  ///
  /// - Parameter app: The key of the app that it has to be of; nil for any.
  /// - Throws: `stored-report-damaged`, `server-blobs-away`, `SQLError`.
  func report(of id: Int64, app: String? = nil) async throws -> [UInt8]? {
    let content = try await store.read { database -> CrashStore.Content? in
      if let app, try CrashStore.crash(id, app: app, in: database) == nil { return nil }
      return try CrashStore.content(of: id, in: database)
    }
    guard let content else { return nil }
    return try await CrashStore.report(content, of: id, from: blobs)
  }
}
