import Hummingbird
import MPaaSModules
import MPaaSProtocol
import MPaaSSupport

/// The work on the modules of apps, for routes and pages alike.
struct ModuleService: Sendable {
  /// Seconds that a search for versions may take.
  private static let patience = Duration.seconds(10)

  let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  /// - Throws: `server-modules-off` where the server offers no modules.
  var registries: ModuleRegistries {
    get throws {
      guard let registries = services.modules else { throw Refusal(.modulesOff) }
      return registries
    }
  }

  /// The choice of an app, and what registries say to it.
  struct State: Sendable {
    var choice: ModuleChoice
    /// nil where they are not to be trusted or do not answer.
    var catalog: ModuleCatalog?
    /// The reason why the choice cannot be downloaded now.
    var problem: ModuleError?
  }

  func choice(of app: Access.App) async throws -> ModuleChoice {
    try await services.store.read { try ModuleChoice(of: app.key, in: $0) }
  }

  func state(of app: Access.App) async throws -> State {
    var state = State(choice: try await choice(of: app))
    do {
      let catalog = try await registries.catalog()
      state.catalog = catalog
      for module in state.choice.lock.modules { _ = try ModuleDownloads.Wanted(module, of: catalog) }
    } catch let error as ModuleError {
      state.problem = error
    }
    return state
  }

  /// A page of the offers of a catalogue.
  ///
  /// - Parameters:
  ///   - text: The words that modules have; all where there are none.
  ///   - after: The last name of the page before.
  /// - Throws: `ModuleError` of an index that cannot be read.
  func offer(_ catalog: ModuleCatalog, text: String, after: String?, limit: Int) async throws -> ModuleOffer {
    // A search reads all indexes.
    try await registries.threads { try ModuleOffer(of: catalog, text: text, after: after, limit: limit) }
  }

  // MARK: - Choosing

  /// Finds versions for what is wished, and keeps both as the choice of an app.
  ///
  /// - Throws: `ModuleError` with the explanation where no versions fit, or of registries; `server-bad-request`,
  ///   `server-modules-changed`.
  func choose(_ wish: ModuleWish, for app: Access.App, _ context: ServerContext) async throws -> ModuleChoice {
    let catalog = try await registries.catalog()
    let old = try await choice(of: app)
    guard wish.version.map({ $0 == old.version }) ?? true else { throw Refusal(.modulesChanged) }
    let manifest = try wish.manifest()
    let update: ProjectResolver.Update = wish.update == true ? .all : .none
    let lock = try await registries.threads { try Self.versions(manifest, old.lock, update, catalog) }
    var choice = ModuleChoice(manifest: manifest, lock: lock, version: old.version)
    // A wish for the present choice changes nothing.
    if choice.manifest.text == old.manifest.text, choice.lock == old.lock { return old }
    choice.version += 1
    choice.author = context.grant?.name ?? ""
    choice.changed = services.now()
    let kept = choice
    let deed = AuditTrail.Deed(kept, of: app)
    let isKept = try await services.store.write { database in
      guard try kept.keep(of: app.key, after: old.version, in: database) else { return false }
      try AuditTrail.add(deed, at: kept.changed, in: database)
      return true
    }
    guard isKept else { throw Refusal(.modulesChanged) }
    return kept
  }

  private static func versions(
    _ manifest: ProjectManifest, _ lock: ProjectLock, _ update: ProjectResolver.Update, _ catalog: ModuleCatalog
  ) throws(ModuleError) -> ProjectLock {
    let end = ContinuousClock.now + patience
    var resolver = ProjectResolver(project: manifest, lock: lock, update: update, of: catalog)
    resolver.isOutOfTime = { ContinuousClock.now > end }
    return try resolver.resolve()
  }

  // MARK: - Downloading

  /// The modules that an app has chosen, where registries vouch for all of them now.
  ///
  /// - Throws: `ModuleError`; `server-not-found` where none are chosen.
  private func vouched(for app: Access.App) async throws -> (choice: ModuleChoice, catalog: ModuleCatalog) {
    let state = try await state(of: app)
    if let problem = state.problem { throw problem }
    guard let catalog = state.catalog, !state.choice.lock.modules.isEmpty else {
      throw Refusal(.notFound, ["reason": "modules"])
    }
    return (state.choice, catalog)
  }

  /// The text of `mpaas.toml`.
  ///
  /// Registries stand in it where all of them have addresses that lead there from other machines; there they have to be
  /// known by their names as it is, since the root that they are trusted by is not in it.
  func manifest(of app: Access.App) async throws -> String {
    var manifest = try await vouched(for: app).choice.manifest.named(app)
    let all = try registries.registries
    let addresses = all.map(ModuleRegistries.addresses)
    guard !addresses.contains(where: \.isEmpty) else {
      return "# Modules come from the registries that this machine knows: "
        + all.map(\.name).joined(separator: ", ") + ".\n" + manifest.text
    }
    manifest.registries = zip(all, addresses).map { registry, addresses in
      ProjectRegistry(name: registry.name, url: addresses[0], mirrors: Array(addresses.dropFirst()))
    }
    return manifest.text
  }

  /// The text of `mpaas.lock`.
  func lock(of app: Access.App) async throws -> String { try await vouched(for: app).choice.lock.text }

  /// An archive of the manifest, the lock, and what the registries have of it.
  func archive(of app: Access.App) async throws -> PackedModules {
    do {
      return try await packed(app)
    } catch let error as ModuleError where error.code.id.name == "metadata-missing" {
      // Another call has followed the trusted metadata meanwhile.
      try registries.forget()
      return try await packed(app)
    }
  }

  private func packed(_ app: Access.App) async throws -> PackedModules {
    var (choice, catalog) = try await vouched(for: app)
    choice.manifest = choice.manifest.named(app)
    return try await packing.archive(of: choice, for: app, catalog)
  }

  private var packing: ModulePacking {
    get throws { ModulePacking(services, try registries) }
  }
}

extension ProjectManifest {
  /// The same with the name of the app, where that may stand there.
  fileprivate func named(_ app: Access.App) -> ProjectManifest {
    var manifest = self
    manifest.name = app.name.isEmpty || !app.name.isPlainText ? nil : app.name
    return manifest
  }
}

extension AuditTrail.Deed {
  fileprivate init(_ choice: ModuleChoice, of app: Access.App) {
    let asked = choice.manifest.modules.map { "\($0.name) \($0.requirement.text)" }.joined(separator: ", ")
    self.init(
      actor: choice.author, action: "modules.chosen", object: "\(app.name) \(choice.version)", detail: asked,
      app: app.key)
  }
}
