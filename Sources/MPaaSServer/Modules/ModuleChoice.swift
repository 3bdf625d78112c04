import MPaaSDatabase
import MPaaSModules
import MPaaSProtocol

/// The modules that an app has chosen, and the versions that were found for that.
struct ModuleChoice: Sendable, Equatable {
  /// The needs of the app: a manifest without registries, of one target.
  var manifest: ProjectManifest
  var lock: ProjectLock
  /// Grows with each change; 0 where nothing was chosen yet.
  var version: Int64 = 0
  /// The name of who chose last.
  var author = ""
  /// Seconds since 1970.
  var changed = 0.0

  /// No module.
  static let none = ModuleChoice(manifest: read("") ?? blank, lock: ProjectLock())

  private static let blank = ProjectManifest(file: ProjectManifest.fileName)

  private static func read(_ text: String) -> ProjectManifest? {
    try? ProjectManifest(reading: text, file: ProjectManifest.fileName)
  }

  /// The choice of an app; none where it has made none.
  ///
  /// - Throws: `SQLError`, `ModuleError` of what cannot be read, as a newer release may have written it.
  init(of app: String, in database: any SQLDatabase) throws {
    let row = try database.row(
      "SELECT manifest, locked, version, author, changed FROM module_choices WHERE app = ?", [.text(app)]
    ) { (manifest: $0.text(0), lock: $0.text(1), version: $0.integer(2), author: $0.text(3), changed: $0.real(4)) }
    guard let row else {
      self = .none
      return
    }
    self.init(
      manifest: try ProjectManifest(reading: row.manifest, file: ProjectManifest.fileName),
      lock: try ProjectLock(reading: row.lock, file: ProjectLock.fileName), version: row.version, author: row.author,
      changed: row.changed)
  }

  init(
    manifest: ProjectManifest, lock: ProjectLock, version: Int64 = 0, author: String = "", changed: Double = 0
  ) {
    (self.manifest, self.lock, self.version) = (manifest, lock, version)
    (self.author, self.changed) = (author, changed)
  }

  /// Keeps it as the choice of an app.
  ///
  /// - Parameter base: The version that it was made from.
  /// - Returns: Whether that is the app's still; else nothing is changed.
  func keep(of app: String, after base: Int64, in database: any SQLDatabase) throws -> Bool {
    let values: [SQLValue] = [
      .text(manifest.text), .text(lock.text), .integer(version), .text(author), .real(changed), .text(app),
    ]
    if base == 0 {
      try database.run(
        """
        INSERT INTO module_choices (manifest, locked, version, author, changed, app) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (app) DO NOTHING
        """, values)
    } else {
      try database.run(
        """
        UPDATE module_choices SET manifest = ?, locked = ?, version = ?, author = ?, changed = ?
        WHERE app = ? AND version = ?
        """, values + [.integer(base)])
    }
    return database.changes > 0
  }

  /// The digests of the archives that all apps have chosen; those of choices that cannot be read are left out.
  static func archives(in database: any SQLDatabase) throws -> Set<String> {
    let locks = try database.rows("SELECT locked FROM module_choices") { $0.text(0) }
    let modules = locks.flatMap { (try? ProjectLock(reading: $0, file: ProjectLock.fileName))?.modules ?? [] }
    return Set(modules.map(\.sha256))
  }

  // MARK: - For callers

  /// The modules that are asked for.
  var asked: [String: AskedModule] {
    Dictionary(manifest.modules.map { ($0.name, AskedModule($0)) }) { $1 }
  }

  /// The modules in their versions, each with the ways to it.
  var chosen: [ModuleChoiceEntry.Chosen] {
    guard let target = manifest.targets.first else { return [] }
    let graph = LockedGraph(target, lock)
    return lock.modules.map { module in
      let ways = graph.paths(to: module.name).prefix(Self.mostWays).map { way in
        way.map { "\($0.name) \($0.requirement.text)" }.joined(separator: " → ")
      }
      return ModuleChoiceEntry.Chosen(
        name: module.name, version: module.version.text, registry: module.registry, sha256: module.sha256,
        size: module.size, reasons: Array(ways))
    }
  }

  /// The ways to a module that are told.
  private static let mostWays = 5

  /// Bytes of all archives.
  var size: UInt64 { lock.modules.reduce(0) { $0 &+ $1.size } }
}

extension AskedModule {
  init(_ module: ProjectModule) {
    self.init(
      version: module.requirement.text, registry: module.registry, with: module.with.isEmpty ? nil : module.with)
  }
}
