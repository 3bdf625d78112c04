import MPaaSSupport

/// Has a project's folder hold the modules of its lock, and no others.
struct ProjectPlacing {
  let folder: String
  let project: ProjectManifest
  let lock: ProjectLock
  let store: ModuleStore
  let options: SyncOptions

  private var plans: [PlacedPlan] { PlacedPlan.all(lock, project, place: options.place) }

  /// Places what is missing or of another version, and takes away what is no longer used.
  ///
  /// - Throws: `ModuleError` before anything is done: `module-files-changed` where files that somebody changed would
  /// have
  ///   to go, `module-not-as-locked` where the lock has to be met and somebody changed a module.
  func run(_ outcome: inout SyncOutcome, _ events: (SyncEvent) -> Void) throws(ModuleError) {
    let plan = plans
    var work: [(plan: PlacedPlan, module: StoredModule)] = []
    var settings: [ProjectSettingsFiles.Module] = []
    var manifests: [String: ModuleManifest] = [:]
    for one in plan {
      let sha256 = one.module.sha256
      guard let stored = store.module(sha256: sha256) else {
        throw ModuleError(.moduleNotLocal, ["name": one.module.name, "version": one.module.version.text])
      }
      if try needsPlacing(one, stored, &outcome) { work.append((one, stored)) }
      let manifest: ModuleManifest
      if let known = manifests[sha256] {
        manifest = known
      } else {
        manifest = try ModuleManifest(reading: try store.manifest(of: stored))
        manifests[sha256] = manifest
      }
      settings.append(.init(one.module, manifest, path: one.path))
    }
    for one in work {
      let placement = try store.place(
        one.module, at: absolute(one.plan.path), by: one.plan.method, force: options.force)
      guard placement.outcome != .unchanged else { continue }
      outcome.placed.append(one.plan.path)
      events(.placed(name: one.plan.module.name, version: one.plan.module.version))
    }
    ModuleStore.settle(work.map { absolute($0.plan.path) })
    for path in try unused(besides: Set(plan.map(\.path))) { try remove(path, &outcome) }
    let files = ProjectSettingsFiles(project: project, modules: settings)
    outcome.wirings = files.wirings
    outcome.settings = try files.write(in: folder)
  }

  /// Says what `run` would stumble over, and does nothing.
  func plan(_ outcome: inout SyncOutcome) {
    for one in plans {
      do throws(ModuleError) {
        _ = try needsPlacing(one, store.module(sha256: one.module.sha256), &outcome)
      } catch {
        outcome.warnings.append(error.diagnostic)
      }
    }
    outcome.wirings = plannedWirings()
  }

  /// The wirings that targets will need; nil where modules have to come first, as they say it.
  private func plannedWirings() -> [ModuleWiring]? {
    var modules: [ProjectSettingsFiles.Module] = []
    for one in plans {
      guard let stored = store.module(sha256: one.module.sha256), let text = try? store.manifest(of: stored),
        let manifest = try? ModuleManifest(reading: text)
      else { return nil }
      modules.append(.init(one.module, manifest, path: one.path))
    }
    return ProjectSettingsFiles(project: project, modules: modules).wirings
  }

  private func absolute(_ path: String) -> String { folder + "/" + path }

  /// Says that a folder has to be placed; one of the right version whose files somebody changed stays as it is.
  private func needsPlacing(
    _ plan: PlacedPlan, _ stored: StoredModule?, _ outcome: inout SyncOutcome
  ) throws(ModuleError) -> Bool {
    let path = absolute(plan.path)
    let kind = FileStatus(ofLink: path)?.kind
    if options.frozen, !options.force { try checkShared(plan, kind) }
    guard !options.force, kind == .folder, let placed = PlacedFolder(at: path) else { return true }
    var changes: [String] = []
    let state = placed.state(at: path)
    switch state {
    case .untouched, .unsettled:
      if state == .unsettled, !options.dryRun { placed.record(at: path) }
      if options.frozen, placed.sha256 == plan.module.sha256, let stored,
        !placed.names(try store.contents(of: stored), at: path)
      {
        changes = [PlacedFolder.markerName]
        break
      }
      // Placing takes away what a run that was ended left beside it.
      return placed.sha256 != plan.module.sha256 || placed.method != plan.method
        || FileStatus(ofLink: ModuleStore.aside(path)) != nil
    case .reshaped: return true
    case .changed(let found): changes = found
    }
    let isRight = placed.sha256 == plan.module.sha256
    if options.frozen || !isRight {
      throw changed(plan, placed.name, changes, isRight ? .notAsLocked : .filesChanged)
    }
    outcome.kept += changes.map { plan.path + "/" + $0 }
    return false
  }

  private func changed(
    _ plan: PlacedPlan, _ name: String, _ changes: [String], _ code: ModuleError.Code
  ) -> ModuleError {
    let shown = changes.prefix(3).joined(separator: ", ") + (changes.count > 3 ? ", …" : "")
    let values = [
      "name": name, "version": plan.module.version.text, "path": plan.path, "files": shown,
      "count": String(changes.count),
    ]
    return ModuleError(code, values, at: .file(absolute(plan.path)))
  }

  /// Refuses a tree of the store that somebody changed through the link of a project.
  private func checkShared(_ plan: PlacedPlan, _ kind: FileStatus.Kind?) throws(ModuleError) {
    let path = absolute(plan.path)
    guard kind == .other, isShared(path), let tree = try? FileSystem.target(ofLink: path),
      FileSystem.name(of: tree) == plan.module.sha256, FileStatus(tree)?.kind == .folder
    else { return }
    guard let placed = PlacedFolder(at: tree) else {
      throw changed(plan, plan.module.name, [PlacedFolder.markerName], .notAsLocked)
    }
    if case .changed(let changes) = placed.state(at: tree) {
      throw changed(plan, placed.name, changes, .notAsLocked)
    }
  }

  // MARK: - What is no longer used

  /// Paths of placed modules that are not in `wanted`.
  private func unused(besides wanted: Set<String>) throws(ModuleError) -> [String] {
    var found = modules(in: project.folder + "/Modules", besides: wanted)
    for target in names(in: project.folder + "/Targets") {
      found += modules(in: "\(project.folder)/Targets/\(target)", besides: wanted)
    }
    return found
  }

  private func names(in path: String) -> [String] {
    ((try? FileSystem.names(in: absolute(path))) ?? []).filter { !$0.hasPrefix(".") }
  }

  /// Only folders that were placed, and links into a store: all else is somebody's own.
  private func modules(in path: String, besides wanted: Set<String>) -> [String] {
    names(in: path).map { path + "/" + $0 }.filter { path in
      guard !wanted.contains(path) else { return false }
      return switch FileStatus(ofLink: absolute(path))?.kind {
      case .folder: PlacedFolder(at: absolute(path)) != nil
      case .other: isShared(absolute(path))
      default: false
      }
    }
  }

  private func isShared(_ path: String) -> Bool {
    guard let target = try? FileSystem.target(ofLink: path) else { return false }
    let name = FileSystem.name(of: target)
    return ModuleStore.isDigest(name) && target.hasSuffix("/trees/" + name)
  }

  private func remove(_ path: String, _ outcome: inout SyncOutcome) throws(ModuleError) {
    do throws(ModuleError) {
      try ModuleStore.removePlaced(at: absolute(path), force: options.force)
    } catch {
      guard error.code == .filesChanged else { throw error }
      outcome.left.append(path)
      return
    }
    outcome.removed.append(path)
    var parent = FileSystem.folder(of: path)
    while parent != project.folder, parent != ".", FileSystem.removeIfEmpty(absolute(parent)) {
      parent = FileSystem.folder(of: parent)
    }
  }
}
