import MPaaSDatabase
import MPaaSSupport

/// Takes reports away whose crashes were removed, once those that were packed against them are packed otherwise.
///
/// A report that new ones are being packed against at that moment is waited for. A server that is killed meanwhile goes
/// on where it was.
struct BaseRetirement: Sendable {
  private static let batch = 64
  private static let pause = Duration.milliseconds(5)

  let services: ServerServices

  /// Takes all of them away.
  func run() async throws {
    try await followBases()
    let gone = try await services.store.read { database in
      try database.rows(
        """
        SELECT id FROM crashes WHERE group_id = 0
        AND NOT EXISTS (SELECT 1 FROM crash_bases b WHERE b.crash = crashes.id) ORDER BY id LIMIT 1000
        """
      ) { $0.integer(0) }
    }
    for id in gone { try await retire(id) }
  }

  /// Forgets bases that other servers took away.
  private func followBases() async throws {
    guard services.session != nil else { return }
    let packer = services.packer
    _ = try await services.store.read { try packer.follow(in: $0) }
  }

  private func retire(_ id: Int64) async throws {
    services.packer.retire(id)
    if services.session != nil {
      // From then on no server stores what is packed against it.
      try await services.store.write { try SharedEdition.bases.grow(in: $0) }
      try await followBases()
    }
    while services.packer.isLent(id) { try await Task.sleep(for: Self.pause) }
    // The first of them may become the base of the others.
    var most = 1
    while try await repack(id, most) { most = Self.batch }
    try await services.store.write { database in
      try database.run(
        """
        DELETE FROM crashes WHERE id = ?1 AND group_id = 0
        AND NOT EXISTS (SELECT 1 FROM crashes c WHERE c.base = ?1 AND c.base IS NOT NULL)
        """, [.integer(id)])
    }
  }

  /// A report that is packed anew.
  private struct Repacked: Sendable {
    let id: Int64
    let keys: [String]
    /// nil of one that cannot be read.
    let content: [UInt8]?
    var packed: ReportPacker.Packed?
  }

  /// Packs some of the reports otherwise that need a base; says whether there were any.
  private func repack(_ base: Int64, _ most: Int) async throws -> Bool {
    let packer = services.packer
    let found = try await services.store.read { try Self.dependents(of: base, most, in: $0) }
    if found.isEmpty { return false }
    let repacked = try await services.disk {
      found.map { report in
        var report = report
        report.packed = report.content?.withUnsafeBytes { packer.pack($0, keys: report.keys) }
        return report
      }
    }
    let (kept, edition) = try await services.store.write { database in
      let edition = try packer.follow(in: database)
      // Their new bases may have gone meanwhile; they are packed again then.
      let kept = try repacked.filter {
        guard $0.packed?.base == nil || $0.packed?.edition == edition else { return false }
        return try Self.keep($0, instead: base, in: database)
      }
      return (kept.map(\.id), edition)
    }
    for report in repacked where report.packed?.isBase == true {
      if kept.contains(report.id) {
        report.content?.withUnsafeBytes { packer.publish(report.id, keys: report.keys, content: $0, edition: edition) }
      } else {
        packer.withdraw(report.keys)
      }
    }
    return true
  }

  private static func dependents(
    of base: Int64, _ most: Int, in database: any SQLDatabase
  ) throws -> [Repacked] {
    let rows = try database.rows(
      """
      SELECT c.id, c.app, coalesce(g.name, ''), c.format, c.process, c.version FROM crashes c
      LEFT JOIN crash_groups g ON g.id = c.group_id WHERE c.base = ? AND c.base IS NOT NULL ORDER BY c.id LIMIT ?
      """, [.integer(base), .integer(most)]
    ) { row in
      (
        id: row.integer(0),
        keys: ReportKeys.of(
          app: row.text(1), group: row.text(2), format: row.text(3), process: row.text(4), version: row.text(5))
      )
    }
    return rows.map { row in
      // A report that is packed against another is no blob.
      guard case .bytes(let content)? = try? CrashStore.content(of: row.id, in: database) else {
        return Repacked(id: row.id, keys: row.keys, content: nil)
      }
      return Repacked(id: row.id, keys: row.keys, content: content)
    }
  }

  /// Keeps a report in its new form; says whether it was still there in the old one.
  private static func keep(_ report: Repacked, instead base: Int64, in database: any SQLDatabase) throws -> Bool {
    guard let packed = report.packed else {
      // It could not be read before either.
      try database.run(
        "UPDATE crashes SET base = NULL WHERE id = ? AND base = ?", [.integer(report.id), .integer(base)])
      return false
    }
    try database.run(
      "UPDATE crashes SET base = ?, body = ? WHERE id = ? AND base = ?",
      [.optional(packed.base), .blob(packed.bytes), .integer(report.id), .integer(base)])
    guard database.changes > 0 else { return false }
    if packed.isBase {
      try database.run(
        "INSERT INTO crash_bases VALUES (?, ?)", [.integer(report.id), .text(report.keys.joined(separator: "\n"))])
    }
    return true
  }
}

/// The keys by which reports are alike, the most telling first.
enum ReportKeys {
  static func of(app: String, group: String, format: String, process: String, version: String) -> [String] {
    ["\(app) \(group)", "\(app) \(format) \(process) \(version)", format]
  }
}
