import MPaaSDatabase
import MPaaSProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A user of an app, and the devices that are known as that user's alone.
struct UserSubject: Sendable, Equatable {
  let app: String
  let user: String
  let devices: [String]

  private static let mostDevices = 500
  private static let named = ["alive_reports", "record_batches", "device_secrets"]

  init(app: String, user: String, devices: [String]) { (self.app, self.user, self.devices) = (app, user, devices) }

  /// Looks for the devices in what is stored.
  init(app: String, user: String, in database: any SQLDatabase) throws {
    let own = Self.named.map { "SELECT device FROM \($0) WHERE app = ?1 AND user = ?2 AND device <> ''" }
    let found = try database.rows(
      "\(own.joined(separator: " UNION ")) ORDER BY device LIMIT \(Self.mostDevices)", [.text(app), .text(user)]
    ) { $0.text(0) }
    let others = Self.named.map {
      "SELECT 1 FROM \($0) WHERE app = ?1 AND device = ?3 AND user IS NOT NULL AND user <> ?2"
    }
    let devices = try found.filter { device in
      try database.row(
        "\(others.joined(separator: " UNION ALL ")) LIMIT 1", [.text(app), .text(user), .text(device)]
      ) { _ in true } == nil
    }
    self.init(app: app, user: user, devices: devices)
  }

  /// The uploads: those that name the user or one of the devices, and the pictures of the user's feedback.
  func uploads(in database: any SQLDatabase) throws -> [UploadRecord] {
    // Uploads have the app as they named it.
    let words = try database.rows("SELECT name FROM apps WHERE key = ?", [.text(app)]) { $0.text(0) }
    let first = try database.row("SELECT key FROM apps ORDER BY created, key LIMIT 1") { $0.text(0) }
    let apps = [app] + words + (first == app ? [""] : [])
    func marks(_ count: Int, from start: Int) -> String { (0..<count).map { "?\(start + $0)" }.joined(separator: ", ") }
    let isOwn = "app IN (\(marks(apps.count, from: 2)))"
    let isOfDevice =
      devices.isEmpty ? "" : " OR (user IS NULL AND device IN (\(marks(devices.count, from: apps.count + 2))))"
    let found = try UploadRecord.all(
      database, where: "\(isOwn) AND (user = ?1\(isOfDevice))",
      [.text(user)] + (apps + devices).map { .text($0) })
    // Devices name the user of feedback, not of its pictures.
    let pictures = try batches(in: database).flatMap { batch in
      try UploadRecord.all(
        database, where: "\(isOwn) AND batch = ?1", [.text(batch)] + apps.map { .text($0) })
    }
    return found + pictures.filter { picture in !found.contains { $0.id == picture.id } }
  }

  /// The batches of the pictures of the user's feedback.
  private func batches(in database: any SQLDatabase) throws -> [String] {
    let lists = try database.rows(
      "SELECT id, pictures FROM feedback WHERE app = ? AND (user = ? OR contact = ?) AND pictures <> '[]'",
      [.text(app), .text(user), .text(user)]
    ) { (id: $0.text(0), pictures: $0.text(1)) }
    return lists.flatMap { feedback -> [String] in
      let pictures = try? JSONDecoder().decode([FeedbackPicture].self, from: Data(feedback.pictures.utf8))
      return (pictures ?? []).indices.map { FeedbackPicture.batch(feedback.id, $0) }
    }
  }

  /// The names by which sessions and days know the user.
  var names: [String] { [user] + devices.filter { $0 != user } }

  /// The digests by which sessions and days know the user.
  func members(in database: any SQLDatabase) throws -> [UInt64] {
    let secret = try database.row("SELECT secret FROM health_secrets WHERE app = ?", [.text(app)]) { $0.blob(0) }
    guard secret != nil else { return [] }
    var secrets = HealthSecrets()
    return try names.map { try secrets.member($0, app: app, in: database) }
  }
}

/// The rows of a table that are about a user.
struct UserRows: Sendable {
  /// The word in receipts and exports.
  let kind: String
  let table: String
  /// The columns that are exported; secrets, and what other kinds tell, are left out.
  let columns: String
  /// `?1` is the app and `?2` the user.
  let condition: String
  /// Tells whether rows without a user are the user's too where they are of a device that is.
  var isByDevice = false

  /// The tables but those of crashes and uploads, in the order in which they are exported and removed.
  static let all: [UserRows] = [
    UserRows(
      kind: "feedback", table: "feedback",
      columns: """
        number, id, state, category, text, contact, user, mobile, device, version, locale, facts, created, received,
        updated
        """, condition: "app = ?1 AND (user = ?2 OR contact = ?2)"),
    UserRows(
      kind: "record_batch", table: "record_batches", columns: "id, device, user, type, received, lines, size, body",
      condition: "app = ?1 AND user = ?2", isByDevice: true),
    UserRows(
      kind: "alive_report", table: "alive_reports", columns: "id, name, version, device, user, system, time, received",
      condition: "app = ?1 AND user = ?2", isByDevice: true),
    UserRows(
      kind: "task", table: "tasks",
      columns:
        "id, user, device, \"from\", \"to\", network, types, state, sent, size, reason, created, updated, expires",
      condition: "app = ?1 AND user = ?2"),
    UserRows(
      kind: "device", table: "device_secrets", columns: "device, user, since", condition: "app = ?1 AND user = ?2"),
    UserRows(
      kind: "badge", table: "badges", columns: "target, path, style, temporary, persistent, business, gone, updated",
      condition: "app = ?1 AND kind = 'user' AND target = ?2"),
    UserRows(
      kind: "badge_tap", table: "badge_taps", columns: "user, path, seen", condition: "app = ?1 AND user = ?2"),
    UserRows(
      kind: "installation", table: "push_installations",
      columns: "number, installation, topic, environment, token, user, locale, timezone, version, registered, updated",
      condition: "app = ?1 AND user = ?2"),
  ]

  /// The condition with its values.
  func condition(_ subject: UserSubject) -> (sql: String, values: [SQLValue]) {
    let values: [SQLValue] = [.text(subject.app), .text(subject.user)]
    guard isByDevice, !subject.devices.isEmpty else { return (condition, values) }
    let marks = subject.devices.indices.map { "?\($0 + 3)" }.joined(separator: ", ")
    return (
      "((\(condition)) OR (app = ?1 AND user IS NULL AND device IN (\(marks))))",
      values + subject.devices.map { .text($0) }
    )
  }
}
