import MPaaSCrash
import MPaaSCrashReport
import MPaaSDatabase

/// An image of a report that the frames of the deciding stack have no names of.
struct MissingImage: Sendable, Hashable {
  /// Build ID or UUID, lower-case hexadecimal without dashes.
  var build: String
  var name: String
  var architecture: String

  private static let mostFrames = 100
  private static let most = 16

  /// The images of a report, those of the first frames first.
  static func all(of report: CrashReport, _ fingerprint: Fingerprint) -> [MissingImage] {
    guard let stack = fingerprint.stack else { return [] }
    var found: [MissingImage] = []
    for frame in report[stack: stack].prefix(mostFrames) where frame.calls.allSatisfy({ $0.function.isEmpty }) {
      guard let index = frame.image, report.images.indices.contains(index), found.count < most else { continue }
      let image = report.images[index]
      let missing = MissingImage(
        build: image.buildID, name: IssueFacts.kept(image.name), architecture: IssueFacts.kept(image.architecture))
      let isNamed = (8...128).contains(image.buildID.utf8.count) && image.buildID.utf8.contains { $0 != 0x30 }
      if isNamed, !found.contains(missing) { found.append(missing) }
    }
    return found
  }
}

/// The images that issues lack symbols of, in the database.
enum MissingImages {
  static let tables = """
    CREATE TABLE missing_images (
      app TEXT NOT NULL, build TEXT NOT NULL, issue INTEGER NOT NULL, image TEXT NOT NULL, architecture TEXT NOT NULL,
      PRIMARY KEY (app, build, issue)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX missing_images_build ON missing_images (build, app, issue);
    """

  static func add(_ images: [MissingImage], to issue: Int64, app: String, in database: any SQLDatabase) throws {
    for image in images {
      try database.run(
        """
        INSERT INTO missing_images (app, build, issue, image, architecture) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (app, build, issue) DO NOTHING
        """, [.text(app), .text(image.build), .integer(issue), .text(image.name), .text(image.architecture)])
    }
  }

  /// A build that symbols are missing of, as lists show it.
  struct Entry: Sendable, Equatable, Codable {
    var app: String
    var build: String
    var image: String
    var architecture: String
    var issues: Int64
    /// The events of these issues.
    var events: Int64
    /// Seconds since 1970.
    var lastSeen: Double

    enum CodingKeys: String, CodingKey {
      case app, image, architecture, issues, events
      case build = "build_id"
      case lastSeen = "last_seen"
    }
  }

  /// The builds that symbols are missing of, those of the most events first.
  static func list(app: String?, limit: Int, in database: any SQLDatabase) throws -> [Entry] {
    try database.rows(
      """
      SELECT m.app, m.build, max(m.image), max(m.architecture), count(*), sum(g.count), max(g.last)
      FROM missing_images m JOIN crash_groups g ON g.app = m.app AND g.id = m.issue
      WHERE (?1 IS NULL OR m.app = ?1) GROUP BY m.app, m.build ORDER BY 6 DESC, 2, 1 LIMIT ?2
      """, [.optional(app), .integer(limit)]
    ) {
      Entry(
        app: $0.text(0), build: $0.text(1), image: $0.text(2), architecture: $0.text(3), issues: $0.integer(4),
        events: $0.integer(5), lastSeen: $0.real(6))
    }
  }

  /// Builds behind one in the order of their names.
  static func builds(after build: String, limit: Int, in database: any SQLDatabase) throws -> [String] {
    try database.rows(
      "SELECT DISTINCT build FROM missing_images WHERE build > ? ORDER BY build LIMIT ?",
      [.text(build), .integer(limit)]
    ) { $0.text(0) }
  }

  /// The issues that lack a build, each with its newest crash.
  static func issues(
    lacking build: String, after place: (app: String, issue: Int64), limit: Int, in database: any SQLDatabase
  ) throws -> [(app: String, issue: Int64, crash: Int64?)] {
    try database.rows(
      """
      SELECT m.app, m.issue, (SELECT max(c.id) FROM crashes c WHERE c.group_id = m.issue) FROM missing_images m
      WHERE m.build = ?1 AND (m.app > ?2 OR m.app = ?2 AND m.issue > ?3) ORDER BY m.app, m.issue LIMIT ?4
      """, [.text(build), .text(place.app), .integer(place.issue), .integer(limit)]
    ) { ($0.text(0), $0.integer(1), $0.optionalInteger(2)) }
  }

  static func remove(_ build: String, _ app: String, _ issue: Int64, in database: any SQLDatabase) throws {
    try database.run(
      "DELETE FROM missing_images WHERE app = ? AND build = ? AND issue = ?",
      [.text(app), .text(build), .integer(issue)])
  }
}
