import HTTPTypes
import Hummingbird
import MPaaSDatabase
import MPaaSDigests
import MPaaSProtocol
import MPaaSSupport

/// A device that asks for collection tasks, by the secret that it has made: the key of an app is known to everybody.
///
/// The first secret of a device is its secret from then on. A task without a device is for those that were known as the
/// user's when it was made; where none was, for the first that comes. Devices of older apps have no secret: they get the
/// tasks of users of whom no device has one, unless the server is told otherwise.
struct TaskDevice: Sendable {
  /// The SHA-256 of the secret; nil for a device without one.
  let secret: [UInt8]?

  /// - Returns: nil for who may read or collect, and so needs no secret.
  /// - Throws: `collection-device-secret`, `server-bad-request`.
  init?(_ request: Request, _ grant: Grant, _ services: ServerServices) throws {
    if grant.permits(.read) || grant.permits(.collect) { return nil }
    let sent = HTTPField.Name(DeviceSecret.field).flatMap { request.headers[$0] }
    guard let sent else {
      if services.configuration.needsDeviceSecrets { throw Refusal(.deviceSecret) }
      secret = nil
      return
    }
    guard DeviceSecret.lengths.contains(sent.utf8.count) else {
      throw Refusal(.badRequest, ["reason": DeviceSecret.field])
    }
    secret = sent.utf8.sha256
  }

  /// The condition of a task in SQL, ?9 being the secret: it is for the device of that secret.
  ///
  /// Of a user's devices those count that were known when the task was made; the one that asks does so too where there
  /// were none.
  static let isForDevice = """
    (EXISTS (SELECT 1 FROM device_secrets d WHERE d.app = tasks.app AND d.user = tasks.user AND d.secret = ?9
    AND (tasks.device IS NULL OR tasks.device = d.device)
    AND (tasks.device IS NOT NULL OR d.since <= tasks.created OR NOT EXISTS (SELECT 1 FROM device_secrets o
    WHERE o.app = tasks.app AND o.user = tasks.user AND o.since <= tasks.created))))
    """

  /// Notes the device's secret where it is its first.
  ///
  /// - Throws: `collection-device-secret` where it has another one, or the user has devices that have one.
  func introduce(_ device: String?, of user: String, app: String, _ services: ServerServices) async throws {
    guard let secret else {
      let isBound = try await services.store.read { try Self.hasDevices(user, app: app, in: $0) }
      if isBound { throw Refusal(.deviceSecret) }
      return
    }
    guard let device, !device.isEmpty, device.utf8.count <= 300 else {
      throw Refusal(.badRequest, ["reason": "device"])
    }
    let known = try await services.store.read { try Self.row(device, app: app, in: $0) }
    if let known, known.secret != secret { throw Refusal(.deviceSecret) }
    if known?.user == user { return }
    let now = services.now()
    try await services.store.write { database in
      try database.run(
        """
        INSERT INTO device_secrets (app, device, secret, user, since) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (app, device) DO UPDATE SET user = excluded.user, since = excluded.since
        WHERE device_secrets.secret = excluded.secret
        """, [.text(app), .text(device), .blob(secret), .text(user), .real(now)])
      // Another may have been faster.
      guard try Self.row(device, app: app, in: database)?.secret == secret else { throw Refusal(.deviceSecret) }
    }
  }

  private static func row(
    _ device: String, app: String, in database: any SQLDatabase
  ) throws -> (secret: [UInt8], user: String)? {
    try database.row(
      "SELECT secret, user FROM device_secrets WHERE app = ? AND device = ?", [.text(app), .text(device)]
    ) { (secret: $0.blob(0), user: $0.text(1)) }
  }

  private static func hasDevices(_ user: String, app: String, in database: any SQLDatabase) throws -> Bool {
    try database.row(
      "SELECT 1 FROM device_secrets WHERE app = ? AND user = ? LIMIT 1", [.text(app), .text(user)]
    ) { _ in true } ?? false
  }

  /// Holds the device against a task.
  ///
  /// - Parameter picker: The device that has picked it up, where that is a change's to be told.
  /// - Throws: `collection-device-secret` where the task is not for it, `collection-task-taken` where it is, and another
  ///   device was faster.
  func check(_ task: CollectionTask, picker: String? = nil, in database: any SQLDatabase) throws {
    let holder = try Self.secret(ofTask: task.id, in: database)
    if holder != nil, holder == secret { return }
    guard let secret else {
      if try holder != nil || Self.hasDevices(task.user, app: task.app, in: database) {
        throw ServerError(.deviceSecret)
      }
      return
    }
    let isItsOwn = try database.row(
      "SELECT 1 FROM tasks WHERE id = ?1 AND \(Self.isForDevice.replacing(all: "?9", with: "?2"))",
      [.text(task.id), .blob(secret)]
    ) { _ in true }
    guard isItsOwn == true else { throw ServerError(.deviceSecret) }
    guard holder != nil else { return }
    guard let picker else { throw ServerError(.deviceSecret) }
    throw ServerError(.taskTaken, ["task": task.id, "device": picker])
  }

  /// Ties a task to the device that has picked it up, or frees it.
  func bind(_ task: CollectionTask, in database: any SQLDatabase) throws {
    guard let secret else { return }
    try database.run(
      "UPDATE tasks SET picker_secret = ? WHERE id = ?",
      [task.state == .waiting ? .null : .blob(secret), .text(task.id)])
  }

  /// The secret of the device that has a task; nil where none has, or one without a secret.
  static func secret(ofTask id: String, in database: any SQLDatabase) throws -> [UInt8]? {
    try database.row("SELECT picker_secret FROM tasks WHERE id = ? AND picker_secret IS NOT NULL", [.text(id)]) {
      $0.blob(0)
    }
  }

  /// Forgets the secret of a device; says whether there was one.
  static func forget(_ device: String, app: String?, in database: any SQLDatabase) throws -> Bool {
    try database.run(
      "DELETE FROM device_secrets WHERE device = ?1 AND (?2 IS NULL OR app = ?2)", [.text(device), .optional(app)])
    return database.changes > 0
  }
}
