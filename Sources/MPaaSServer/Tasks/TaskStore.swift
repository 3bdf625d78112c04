import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Collection tasks in the database.
enum TaskStore {
  /// Makes a task; one with the same id is answered as it stands.
  ///
  /// - Throws: `collection-tasks-too-many` where `limit` tasks are open for the user's device.
  static func create(_ task: CollectionTask, limit: Int, in database: any SQLDatabase) throws -> CollectionTask {
    if let known = try self.task(task.id, app: task.app, in: database) { return known.task }
    try expire(at: task.created, in: database)
    let open = try database.row(
      """
      SELECT count(*) FROM tasks WHERE app = ?1 AND user = ?2 AND state IN ('waiting', 'picked', 'uploading')
      AND (device IS NULL OR ?3 IS NULL OR device = ?3)
      """, [.text(task.app), .text(task.user), .optional(task.device)]
    ) { $0.integer(0) }
    guard open ?? 0 < limit else {
      throw ServerError(.tasksTooMany, ["user": task.user, "limit": String(limit)])
    }
    try database.run(
      "INSERT INTO tasks (\(names)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        .text(task.id), .text(task.app), .text(task.user), .optional(task.device), .real(task.from), .real(task.to),
        .text(task.network.rawValue), .text(task.types.joined(separator: " ")), .text(task.state.rawValue),
        .optional(task.sent), .optional(task.size), .optional(task.upload), .optional(task.reason),
        .real(task.created), .real(task.updated), .real(task.expires),
      ])
    return task
  }

  /// A task and the device that picked it up.
  static func task(
    _ id: String, app: String?, in database: any SQLDatabase
  ) throws -> (task: CollectionTask, picker: String?)? {
    try database.row(
      "SELECT \(names), picker FROM tasks WHERE id = ?1 AND (?2 IS NULL OR app = ?2)", [.text(id), .optional(app)]
    ) { (task($0), $0.optionalText(16)) }
  }

  /// The conditions that a list is narrowed by.
  struct Filter: Sendable {
    var app: String?
    var user: String?
    /// Tasks for any device, and those for this one that no other has picked up.
    var device: String?
    var state: CollectionTask.State?
    var isOpen = false
    /// The device that asks; nil where an operator does.
    var caller: TaskDevice?
    /// Only tasks that come behind this one, the newest being the first.
    var before: String?
    var limit = 100
  }

  /// Tasks, the newest first.
  static func tasks(_ filter: Filter, in database: any SQLDatabase) throws -> [CollectionTask] {
    try database.rows(
      """
      SELECT \(names) FROM tasks WHERE (?1 IS NULL OR app = ?1) AND (?2 IS NULL OR user = ?2)
      AND (?3 IS NULL OR device IS NULL OR device = ?3)
      AND (?3 IS NULL OR state = 'waiting' OR picker IS NULL OR picker = ?3)
      AND (?4 IS NULL OR state = ?4) AND (?5 = 0 OR state IN ('waiting', 'picked', 'uploading'))
      AND (?6 IS NULL OR (-created, id) > (SELECT -created, id FROM tasks WHERE id = ?6))
      AND (?8 = 0 OR (picker_secret IS NULL AND (?9 IS NULL OR \(TaskDevice.isForDevice))) OR picker_secret = ?9)
      ORDER BY created DESC, id LIMIT ?7
      """,
      [
        .optional(filter.app), .optional(filter.user), .optional(filter.device), .optional(filter.state?.rawValue),
        .flag(filter.isOpen), .optional(filter.before), .integer(filter.limit), .flag(filter.caller != nil),
        filter.caller?.secret.map { .blob($0) } ?? .null,
      ], task)
  }

  /// Keeps a change; `device` is who picks the task up.
  static func change(
    _ id: String, app: String?, by change: CollectionTaskChange, _ party: TaskRules.Party, as caller: TaskDevice? = nil,
    at now: Double, in database: any SQLDatabase
  ) throws -> CollectionTask? {
    try expire(at: now, in: database)
    guard let (known, picker) = try task(id, app: app, in: database) else { return nil }
    // One that takes the name of the device that has it is refused; another one was late.
    try caller?.check(known, picker: change.device == picker ? nil : picker, in: database)
    let task = try TaskRules.changed(known, picker: picker, by: change, party, at: now) { upload in
      isWhole(upload, of: known, in: database)
    }
    let now = task.state == .waiting ? nil : change.device ?? picker
    try keep(task, picker: now, in: database)
    try caller?.bind(task, in: database)
    return task
  }

  /// Marks the task done that a whole and verified upload answers; where it has ended, the upload stays a plain file.
  ///
  /// A device with a secret says so itself.
  static func answer(_ id: String, with upload: PublishedUpload, in database: any SQLDatabase) throws {
    // A client that may send for every app need not name one.
    let app = try self.app(upload.app, in: database)
    guard let (known, picker) = try task(id, app: app, in: database), !known.state.isFinal,
      try TaskDevice.secret(ofTask: id, in: database) == nil
    else { return }
    var task = known
    task.state = .done
    task.upload = upload.id
    task.sent = upload.size
    task.size = upload.size
    task.updated = upload.time
    try keep(task, picker: upload.device ?? picker, in: database)
  }

  /// The key of an app that is named by it or by its name; nil for none.
  static func app(_ word: String, in database: any SQLDatabase) throws -> String? {
    if word.isEmpty { return nil }
    let key = try database.row("SELECT key FROM apps WHERE key = ?1 OR name = ?1 ORDER BY key <> ?1", [.text(word)]) {
      $0.text(0)
    }
    return key ?? word
  }

  /// Ends tasks that were not done in time; says how many.
  @discardableResult
  static func expire(at now: Double, in database: any SQLDatabase) throws -> Int {
    try database.run(
      """
      UPDATE tasks SET state = 'expired', updated = ?1 WHERE state IN ('waiting', 'picked', 'uploading')
      AND expires <= ?1
      """, [.real(now)])
    return database.changes
  }

  /// Tells whether a task is open that `expire` would end.
  static func isOverdue(at now: Double, in database: any SQLDatabase) throws -> Bool {
    let sql = """
      SELECT EXISTS (SELECT 1 FROM tasks WHERE state IN ('waiting', 'picked', 'uploading') AND expires <= ?)
      """
    return try database.row(sql, [.real(now)]) { $0.integer(0) } == 1
  }

  private static func isWhole(_ upload: String, of task: CollectionTask, in database: any SQLDatabase) -> Bool {
    let sql = "SELECT app FROM uploads WHERE id = ? AND state = 'whole'"
    guard let word = try? database.row(sql, [.text(upload)], { $0.text(0) }) else { return false }
    let app = try? app(word, in: database)
    return app == nil || app == task.app
  }

  private static func keep(_ task: CollectionTask, picker: String?, in database: any SQLDatabase) throws {
    try database.run(
      "UPDATE tasks SET state = ?, sent = ?, size = ?, upload = ?, reason = ?, updated = ?, picker = ? WHERE id = ?",
      [
        .text(task.state.rawValue), .optional(task.sent), .optional(task.size), .optional(task.upload),
        .optional(task.reason), .real(task.updated), .optional(picker), .text(task.id),
      ])
  }

  private static let names = """
    id, app, user, device, "from", "to", network, types, state, sent, size, upload, reason, created, updated, expires
    """

  private static func task(_ row: SQLRow) -> CollectionTask {
    var task = CollectionTask(
      id: row.text(0), app: row.text(1), user: row.text(2), device: row.optionalText(3), from: row.real(4),
      to: row.real(5), network: CollectionTask.Network(rawValue: row.text(6)) ?? .any,
      types: row.text(7).split(separator: " ").map(String.init),
      state: CollectionTask.State(rawValue: row.text(8)) ?? .failed, created: row.real(13), expires: row.real(15))
    task.sent = row.optionalInteger(9)
    task.size = row.optionalInteger(10)
    task.upload = row.optionalText(11)
    task.reason = row.optionalText(12)
    task.updated = row.real(14)
    return task
  }
}
