import MPaaSDatabase

/// A version of a patch with the devices that ran it, and those that ran none meanwhile.
struct PatchCount: Sendable, Equatable {
  var app: String
  var identity: String
  var patch: String
  var version: String
  /// Seconds since 1970.
  var first: Int64
  var last: Int64
  var devices: Int64
  var crashed: Int64
  /// Devices that told that they run no patch, since the day on which the version was seen first; 0 for none.
  var plainDevices: Int64
  var plainCrashed: Int64
  /// All devices that told of their patches since then, and in the last 30 days at least.
  var population: Int64
}

/// Reads how many devices ran which patch.
enum PatchCounts {
  /// Seconds for which a device counts as one that has the app.
  private static let memory: Int64 = 30 * 86_400

  /// The versions of patches, those seen last first.
  ///
  /// - Parameters:
  ///   - app: The key of an app; nil for all.
  ///   - identity: The identifier of the app by its releases; nil for all.
  static func all(
    app: String?, identity: String? = nil, most: Int, at now: Double, in database: any SQLDatabase
  ) throws -> [PatchCount] {
    let recent = HealthInterval.day.start(of: Int64(now) - memory)
    let versions = try database.rows(
      """
      SELECT app, number, identity, patch, version, first, last FROM patch_versions
      WHERE patch <> '' AND (?1 IS NULL OR app = ?1) AND (?2 IS NULL OR identity = ?2)
      ORDER BY last DESC, app, identity, patch, version LIMIT ?3
      """, [.optional(app), .optional(identity), .integer(most)]
    ) { row in
      (
        number: row.integer(1),
        count: PatchCount(
          app: row.text(0), identity: row.text(2), patch: row.text(3), version: row.text(4), first: row.integer(5),
          last: row.integer(6), devices: 0, crashed: 0, plainDevices: 0, plainCrashed: 0, population: 0)
      )
    }
    var plain: [Plain: (devices: Int64, crashed: Int64)] = [:]
    var populations: [Plain: Int64] = [:]
    return try versions.map { version in
      var count = version.count
      let start = HealthInterval.day.start(of: count.first)
      (count.devices, count.crashed) = try devices(count.app, version.number, from: start, in: database)
      let place = Plain(app: count.app, identity: count.identity, start: start)
      let none = PatchBatch.number(identity: count.identity, patch: "", version: "")
      let known = try plain[place] ?? devices(count.app, none, from: start, in: database)
      plain[place] = known
      (count.plainDevices, count.plainCrashed) = known
      let wide = Plain(app: count.app, identity: count.identity, start: min(start, recent))
      count.population = try populations[wide] ?? population(wide, in: database)
      populations[wide] = count.population
      return count
    }
  }

  private struct Plain: Hashable {
    let app: String
    let identity: String
    let start: Int64
  }

  private static func devices(
    _ app: String, _ number: Int64, from start: Int64, in database: any SQLDatabase
  ) throws -> (devices: Int64, crashed: Int64) {
    let key: [SQLValue] = [.text(app), .integer(number), .integer(start)]
    var members = MemberUnion()
    try database.forEach(
      "SELECT members FROM patch_members WHERE app = ? AND number = ? AND start >= ?", key
    ) { row in
      members.add(MemberSet(row.blob(0)))
      return true
    }
    let crashed = try database.row(
      "SELECT count(DISTINCT member) FROM patch_crashes WHERE app = ? AND number = ? AND start >= ?", key
    ) { $0.integer(0) }
    return (members.count, crashed ?? 0)
  }

  private static func population(_ place: Plain, in database: any SQLDatabase) throws -> Int64 {
    var members = MemberUnion()
    try database.forEach(
      """
      SELECT m.members FROM patch_members m JOIN patch_versions v ON v.app = m.app AND v.number = m.number
      WHERE m.app = ? AND v.identity = ? AND m.start >= ?
      """, [.text(place.app), .text(place.identity), .integer(place.start)]
    ) { row in
      members.add(MemberSet(row.blob(0)))
      return true
    }
    return members.count
  }
}
