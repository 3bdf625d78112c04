import MPaaSDatabase

/// Devices that are noted under the patches that they ran, and under none where they said so.
///
/// A device counts once for a day and a version, however often it tells it, so the order and repeats do not matter. Rows
/// are written in the order of their keys.
struct PatchBatch {
  /// The run of a device.
  struct Run: Sendable, Equatable {
    var app: String
    /// The identifier that releases name the app by.
    var identity: String
    /// The device as the sender names it; it is never stored.
    var device: String
    var patches: [PatchLabel]
    /// Seconds since 1970.
    var started: Int64
    var hasCrashed: Bool
  }

  /// The most versions of patches of an app.
  static let mostVersions = 2_000

  private struct Name: Hashable, Comparable {
    let app: String
    let identity: String
    /// nil for runs without a patch.
    let label: PatchLabel?

    var patch: String { label?.patch ?? "" }
    var version: String { label?.version ?? "" }

    static func < (left: Self, right: Self) -> Bool {
      (left.app, left.identity, left.patch, left.version) < (right.app, right.identity, right.patch, right.version)
    }
  }

  private struct Day {
    var members: [UInt64: Bool] = [:]
    var first = Int64.max
    var last = Int64.min
  }

  /// Notes runs.
  ///
  /// - Returns: The number of versions that were left out, since the app has too many.
  static func store(_ runs: [Run], in database: any SQLDatabase) throws -> Int64 {
    if runs.isEmpty { return 0 }
    var secrets = HealthSecrets()
    var names: [Name: [Int64: Day]] = [:]
    for run in runs {
      let member = try secrets.member(run.device, app: run.app, in: database)
      let start = HealthInterval.day.start(of: run.started)
      let labels = run.patches.isEmpty ? [nil] : run.patches.map(Optional.some)
      for label in labels {
        let name = Name(app: run.app, identity: run.identity, label: label)
        var day = names[name]?[start] ?? Day()
        day.members[member] = run.hasCrashed || day.members[member] ?? false
        (day.first, day.last) = (min(day.first, run.started), max(day.last, run.started))
        names[name, default: [:]][start] = day
      }
    }
    var leftOut: Int64 = 0
    for (name, days) in names.sorted(by: { $0.key < $1.key }) {
      let number = number(identity: name.identity, patch: name.patch, version: name.version)
      guard try keep(name, number, days, in: database) else {
        leftOut += 1
        continue
      }
      for (start, day) in days.sorted(by: { $0.key < $1.key }) {
        try add(day.members, to: [.text(name.app), .integer(number), .integer(start)], in: database)
      }
    }
    return leftOut
  }

  /// The number of a version.
  static func number(identity: String, patch: String, version: String) -> Int64 {
    RowNumber.of(identity, patch, version)
  }

  /// Keeps when a version was seen; says whether there is room for it.
  private static func keep(
    _ name: Name, _ number: Int64, _ days: [Int64: Day], in database: any SQLDatabase
  ) throws -> Bool {
    let key: [SQLValue] = [.text(name.app), .integer(number)]
    let isKnown =
      try database.row("SELECT 1 FROM patch_versions WHERE app = ? AND number = ?", key) { _ in true } ?? false
    if !isKnown {
      let count = try database.row("SELECT count(*) FROM patch_versions WHERE app = ?", [.text(name.app)]) {
        $0.integer(0)
      }
      guard count ?? 0 < mostVersions else { return false }
    }
    let (first, last) = (days.values.map(\.first).min() ?? 0, days.values.map(\.last).max() ?? 0)
    try database.run(
      """
      INSERT INTO patch_versions AS kept (app, number, identity, patch, version, first, last)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (app, number) DO UPDATE SET
      first = CASE WHEN kept.first < excluded.first THEN kept.first ELSE excluded.first END,
      last = CASE WHEN kept.last > excluded.last THEN kept.last ELSE excluded.last END
      """,
      key + [.text(name.identity), .text(name.patch), .text(name.version), .integer(first), .integer(last)])
    return true
  }

  private static func add(_ members: [UInt64: Bool], to key: [SQLValue], in database: any SQLDatabase) throws {
    try MemberRows.add([(key, members.keys)], to: "patch_members", key: ["app", "number", "start"], in: database)
    for (member, hasCrashed) in members.sorted(by: { $0.key < $1.key }) where hasCrashed {
      try database.run(
        """
        INSERT INTO patch_crashes (app, number, start, member) VALUES (?, ?, ?, ?)
        ON CONFLICT (app, number, start, member) DO NOTHING
        """, key + [.integer(Int64(bitPattern: member))])
    }
  }
}
