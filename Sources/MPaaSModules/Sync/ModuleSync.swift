package import MPaaSSupport

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Brings a project into step with its manifest: resolves, downloads, stores, places, writes settings, and last the
/// lock.
///
/// A run that is ended at any moment leaves each module's folder whole, and the next goes on where it stopped.
package struct ModuleSync: Sendable {
  /// The folder of `mpaas.toml`.
  package var folder: String
  package var directories: Directories
  /// The only registry to ask, `--registry` or `MPAAS_REGISTRY`.
  package var registry: String?
  package var userAgent: String
  package var now: @Sendable () -> Date
  package var events: @Sendable (SyncEvent) -> Void

  package init(
    folder: String, directories: Directories, registry: String? = nil, userAgent: String,
    now: @escaping @Sendable () -> Date = { Date() }, events: @escaping @Sendable (SyncEvent) -> Void = { _ in }
  ) {
    self.folder = folder
    self.directories = directories
    self.registry = registry
    self.userAgent = userAgent
    self.now = now
    self.events = events
  }

  var store: ModuleStore { ModuleStore(folder: directories.modules) }
  private var manifestFile: String { path(ProjectManifest.fileName) }
  private var lockFile: String { path(ProjectLock.fileName) }
  private func path(_ name: String) -> String { folder == "." ? name : folder + "/" + name }

  /// - Parameter manifest: The text that `mpaas.toml` gets once its modules can be resolved and are here; nil leaves it
  ///   as it is.
  /// - Throws: `ModuleError`; what was placed before stays whole, and the next run goes on.
  package func run(
    _ options: SyncOptions = SyncOptions(), editing manifest: String? = nil
  ) async throws(ModuleError) -> SyncOutcome {
    let events = events
    let gate = try ProjectGate(folder) { events(.waiting) }
    defer { withExtendedLifetime(gate) {} }
    let text: String
    if let manifest { text = manifest } else { text = try Self.text(manifestFile) }
    let project = try ProjectManifest(reading: text, file: manifestFile)
    var lockText: String?
    var old: ProjectLock?
    if FileStatus(lockFile) != nil {
      let text = try Self.text(lockFile)
      old = try ProjectLock(reading: text, file: lockFile, settlingConflicts: !options.frozen)
      lockText = text
    }
    var chosen = try await choose(project, old, options)
    var outcome = SyncOutcome()
    outcome.isDryRun = options.dryRun
    outcome.xcode = project.xcode
    outcome.warnings = chosen.catalog?.warnings ?? []
    let targets = project.targets.map(\.name)
    outcome.modules = chosen.lock.modules.map(SyncedModule.init)
    // Held until the project is noted: what is stored now is not collected as unused.
    let use = options.dryRun ? nil : try store.use()
    defer { withExtendedLifetime(use) {} }
    try await supply(&chosen, project, options, &outcome)
    let catalog = chosen.catalog
    outcome.changes = SyncChange.all(from: old, to: chosen.lock, targets: targets) { name, registry in
      (try? catalog?.offered(name, in: registry))?.index
    }
    let placing = ProjectPlacing(folder: folder, project: project, lock: chosen.lock, store: store, options: options)
    if options.dryRun {
      outcome.wroteLock = !options.frozen && lockText != chosen.lock.text
      if let manifest { outcome.wroteManifest = try Self.text(manifestFile) != manifest }
      placing.plan(&outcome)
      return outcome
    }
    try placing.run(&outcome, events)
    if let manifest { try Self.write(manifest, to: manifestFile, &outcome.wroteManifest) }
    if !options.frozen { try Self.write(chosen.lock.text, to: lockFile, &outcome.wroteLock) }
    try store.note(project: folder)
    return outcome
  }

  // MARK: - Which versions

  private struct Choice {
    var lock: ProjectLock
    /// nil where none had to be asked.
    var catalog: ModuleCatalog?
  }

  private func choose(
    _ project: ProjectManifest, _ old: ProjectLock?, _ options: SyncOptions
  ) async throws(ModuleError) -> Choice {
    let resolver = ProjectResolver(project: project, lock: old, index: { _, _ in nil })
    if options.frozen { return Choice(lock: try resolver.frozen()) }
    if options.update == .none, !options.refresh, let lock = try? resolver.frozen() { return Choice(lock: lock) }
    // Without anything to bring, no registry has to answer.
    if options.update == .none, project.targets.allSatisfy(\.modules.isEmpty) {
      return Choice(lock: try resolver.resolve())
    }
    let start = now()
    var catalog = try await catalog(project, options)
    do throws(ModuleError) {
      return Choice(lock: try Self.lock(project, old, options, catalog), catalog: catalog)
    } catch {
      // A missing version may have been published since the registries were asked.
      guard !options.offline, catalog.isOlder(than: start) else { throw error }
      var options = options
      options.refresh = true
      catalog = try await self.catalog(project, options)
      return Choice(lock: try Self.lock(project, old, options, catalog), catalog: catalog)
    }
  }

  private static func lock(
    _ project: ProjectManifest, _ old: ProjectLock?, _ options: SyncOptions, _ catalog: ModuleCatalog
  ) throws(ModuleError) -> ProjectLock {
    try ProjectResolver(
      project: project, lock: old, update: options.update, in: options.updatedTarget, of: catalog
    ).resolve()
  }

  private func catalog(_ project: ProjectManifest, _ options: SyncOptions) async throws(ModuleError) -> ModuleCatalog {
    let configuration = try RegistryConfiguration(
      directories: directories, project: project.registries, in: folder, choosing: registry)
    let events = events
    let loader = CatalogLoader(configuration, userAgent: userAgent, now: now) {
      events(.indexes(fetched: $0, of: $1))
    }
    // A request for updates means those that are there now.
    let isAsked = options.refresh || options.update != .none
    return try await loader.load(options.offline ? .offline : isAsked ? .now : .automatic)
  }

  // MARK: - Their archives

  /// Has the store hold all modules of the lock.
  private func supply(
    _ chosen: inout Choice, _ project: ProjectManifest, _ options: SyncOptions, _ outcome: inout SyncOutcome
  ) async throws(ModuleError) {
    let missing = chosen.lock.modules.filter { !store.contains(sha256: $0.sha256) }
    guard !missing.isEmpty else { return }
    let known: ModuleCatalog
    if let catalog = chosen.catalog { known = catalog } else { known = try await catalog(project, options) }
    chosen.catalog = known
    var wanted: [ModuleDownloads.Wanted] = []
    for module in missing { wanted.append(try ModuleDownloads.Wanted(module, of: known)) }
    let downloads = ModuleDownloads(store: store, userAgent: userAgent, events: events)
    let plan = downloads.missing(wanted)
    (outcome.downloads, outcome.downloaded) = (plan.count, plan.bytes)
    guard !options.dryRun else { return }
    try await downloads.bring(wanted, isOffline: options.offline)
  }

  // MARK: - Files

  private static func text(_ file: String) throws(ModuleError) -> String {
    do throws(FileError) {
      return String(decoding: try Bytes.reading(file, limit: 16 << 20).array, as: UTF8.self)
    } catch { throw ModuleError(error) }
  }

  /// Replaces a file at once where its text is another.
  private static func write(_ text: String, to file: String, _ wrote: inout Bool) throws(ModuleError) {
    if let old = try? Bytes.reading(file, limit: 16 << 20), old.array.elementsEqual(text.utf8) { return }
    do throws(FileError) { try Bytes(Array(text.utf8)).write(to: file) } catch { throw ModuleError(error) }
    wrote = true
  }
}

extension ProjectResolver {
  /// Chooses from what the registries of a catalogue offer.
  package init(
    project: ProjectManifest, lock: ProjectLock?, update: Update = .none, in updatedTarget: String? = nil,
    of catalog: ModuleCatalog
  ) {
    self.init(project: project, lock: lock, update: update, in: updatedTarget) { name, registry throws(ModuleError) in
      try catalog.offered(name, in: registry)
    }
    names = catalog.names
  }
}

extension SyncedModule {
  init(_ module: LockedModule) {
    self.init(
      name: module.name, version: module.version, registry: module.registry, size: module.size, targets: module.targets)
  }
}
