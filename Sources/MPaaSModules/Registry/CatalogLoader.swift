package import MPaaSSupport
import MPaaSVerification

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The times when registries are asked anew.
package enum CatalogFreshness: Sendable, Equatable {
  /// Asked where the last time was longer ago than `CatalogLoader.freshTime`, or something has expired.
  case automatic
  case now
  /// Never: what was trusted last is used, expired or not.
  case offline
}

/// Brings the catalogue of all registries up to date, and keeps it for the next call.
package struct CatalogLoader: Sendable {
  /// Seconds without another question.
  package static let freshTime: TimeInterval = 300

  package var configuration: RegistryConfiguration
  package var now: @Sendable () -> Date
  package var userAgent: String
  /// Told of indexes that are fetched.
  package var progress: @Sendable (_ fetched: Int, _ of: Int) -> Void

  package init(
    _ configuration: RegistryConfiguration, userAgent: String, now: @escaping @Sendable () -> Date = { Date() },
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) {
    self.configuration = configuration
    self.userAgent = userAgent
    self.now = now
    self.progress = progress
  }

  /// - Throws: `ModuleError`: why a registry is not to be trusted or could not be reached, `registry-none` where there
  /// is
  ///   none at all.
  package func load(_ freshness: CatalogFreshness = .automatic) async throws(ModuleError) -> ModuleCatalog {
    guard !configuration.registries.isEmpty else { throw ModuleError(.registryNone) }
    var contents: [RegistryContents] = []
    var warnings: [Diagnostic] = []
    for registry in configuration.registries {
      contents.append(try await load(registry, freshness, warnings: &warnings))
    }
    return ModuleCatalog(contents, warnings: warnings)
  }

  /// The modules of the user's registries as they were trusted last, for completions; nothing is verified or fetched.
  package static func namesKept(in directories: Directories) -> [String] {
    let registries = (try? UserRegistries(directories).registries) ?? []
    return Set(registries.flatMap { IndexCache(folder: $0.folder).read().keys }).sorted()
  }

  private func load(
    _ registry: Registry, _ freshness: CatalogFreshness, warnings: inout [Diagnostic]
  ) async throws(ModuleError) -> RegistryContents {
    let start = now()
    if freshness == .offline, let (client, targets) = fromFolders(registry) {
      if let expiry = client.firstExpiry, expiry.expires <= start { warnings.append(Self.expired(registry, expiry)) }
      return try await contents(registry, client, targets, isOffline: false)
    }
    var client = try client(of: registry)
    if freshness != .now, client.hasRoot, let targets = try? Self.opened(&client) {
      let expiry = client.firstExpiry
      let hasExpired = expiry.map { $0.expires <= start } ?? true
      let isFresh = client.lastRefresh.map { (0..<Self.freshTime).contains(start.timeIntervalSince($0)) } ?? false
      if freshness == .offline || (isFresh && !hasExpired) {
        if hasExpired, let expiry { warnings.append(Self.expired(registry, expiry)) }
        return try await contents(registry, client, targets, isOffline: freshness == .offline)
      }
    }
    guard freshness != .offline else { throw ModuleError(.registryNotFetched, ["name": registry.name]) }
    let targets = try Self.trusted { () throws(TrustError) in
      try Self.begin(&client, registry)
      try client.refresh()
      return try client.targets(under: Self.prefix)
    }
    return try await contents(registry, client, targets, isOffline: false)
  }

  /// The releases that the folders among a registry's mirrors have, whether it has expired or not.
  ///
  /// A vendored registry is used as it was when somebody made it; signatures, versions and digests have to be right.
  private func fromFolders(_ registry: Registry) -> (RepositoryClient, [TrustedTarget])? {
    let folders = registry.mirrors.filter { !RegistryAddress.isURL($0) }
    guard !folders.isEmpty else { return nil }
    var limits = RepositoryLimits()
    limits.refusesClockSetBack = false
    guard let fetch = try? RepositoryFetch(mirrors: folders, scratch: registry.folder, userAgent: userAgent) else {
      return nil
    }
    // Nothing has expired before the beginning of time.
    var client = RepositoryClient(
      metadataFolder: registry.folder, fetch: fetch, now: { .distantPast }, limits: limits)
    guard (try? Self.begin(&client, registry)) != nil, (try? client.refresh()) != nil,
      let targets = try? client.targets(under: Self.prefix)
    else { return nil }
    return (client, targets)
  }

  private static let prefix = "sdk/"

  private static func opened(_ client: inout RepositoryClient) throws(TrustError) -> [TrustedTarget] {
    try client.open()
    return try client.targets(under: prefix)
  }

  private static func expired(_ registry: Registry, _ expiry: (role: String, expires: Date)) -> Diagnostic {
    Diagnostic(
      "registry-expired-offline",
      ["name": registry.name, "role": expiry.role, "expires": MetadataTime.text(expiry.expires)], exit: .done)
  }

  private func client(of registry: Registry) throws(ModuleError) -> RepositoryClient {
    try Self.trusted { () throws(TrustError) in
      RepositoryClient(
        metadataFolder: registry.folder,
        fetch: try RepositoryFetch(mirrors: registry.mirrors, scratch: registry.folder, userAgent: userAgent), now: now)
    }
  }

  /// Puts the root in that the user or the project trusts.
  private static func begin(_ client: inout RepositoryClient, _ registry: Registry) throws(TrustError) {
    let root: [UInt8]
    do throws(FileError) {
      root = try Bytes.reading(registry.root, limit: RepositoryLimits().root).array
    } catch { throw TrustError(error) }
    try client.initialize(root: root)
  }

  static func trusted<Value>(_ work: () throws(TrustError) -> Value) throws(ModuleError) -> Value {
    do throws(TrustError) { return try work() } catch { throw ModuleError(error) }
  }
}

// MARK: - Indexes

extension CatalogLoader {
  /// The indexes that `targets` names: those of the cache whose digests are right, and the others fetched.
  private func contents(
    _ registry: Registry, _ client: RepositoryClient, _ targets: [TrustedTarget], isOffline: Bool
  ) async throws(ModuleError) -> RegistryContents {
    var wanted: [WantedIndex] = []
    var archives: [ExactName: TrustedTarget] = [:]
    for target in targets {
      if let index = WantedIndex(target) { wanted.append(index) } else { archives[ExactName(target.name)] = target }
    }
    let cache = IndexCache(folder: registry.folder)
    let kept = cache.read()
    var indexes: [String: Bytes] = [:]
    var missing: [WantedIndex] = []
    for one in wanted {
      if let bytes = kept[one.name], one.describes(bytes) { indexes[one.name] = bytes } else { missing.append(one) }
    }
    if !missing.isEmpty {
      if isOffline { throw ModuleError(.moduleIndexMissing, ["name": missing[0].name, "registry": registry.name]) }
      let fetch = IndexFetch(
        client: client, folder: registry.folder + "/incoming", userAgent: userAgent, progress: progress)
      indexes.merge(try await fetch.fetch(missing)) { $1 }
    }
    if !missing.isEmpty || kept.count != indexes.count { try cache.write(indexes) }
    let indexTargets = Dictionary(wanted.map { ($0.name, $0.target) }) { $1 }
    return RegistryContents(
      registry: registry, client: client, indexes: indexes, indexTargets: indexTargets, archives: archives)
  }
}
