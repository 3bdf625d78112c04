package import MPaaSSupport
import MPaaSTransfer
import MPaaSVerification

/// Brings modules from registries into the store of this machine.
package struct ModuleDownloads: Sendable {
  /// A release, and where its archive is.
  package struct Wanted: Sendable {
    package let release: ModuleRelease
    package let archive: ModuleArchiveTarget

    package var label: String { "\(release.manifest.name) \(release.version)" }

    /// - Throws: `ModuleError` where the registry's signed metadata does not list the archive.
    package init(_ release: ModuleRelease, in registry: String, of catalog: ModuleCatalog) throws(ModuleError) {
      self.release = release
      archive = try catalog.archive(of: release, in: registry)
    }

    /// Makes it of a locked module, as the catalog has it.
    ///
    /// - Throws: `ModuleError` `locked-version-gone`, `locked-archive-differs`.
    package init(_ module: LockedModule, of catalog: ModuleCatalog) throws(ModuleError) {
      let values = ["name": module.name, "version": module.version.text, "registry": module.registry]
      guard let offered = try catalog.offered(module.name, in: module.registry),
        let release = offered.index.release(module.version)
      else { throw ModuleError(.lockedVersionGone, values) }
      guard release.archive.sha256 == module.sha256 else { throw ModuleError(.lockedArchiveDiffers, values) }
      try self.init(release, in: module.registry, of: catalog)
    }

    func blob(isOffline: Bool) throws(ModuleError) -> ModuleBlob {
      var urls = try CatalogLoader.trusted { () throws(TrustError) in
        try archive.client.addresses(of: archive.target)
      }
      if isOffline { urls.removeAll { RegistryAddress.isURL($0) } }
      return ModuleBlob(sha256: release.archive.sha256, size: release.archive.size, urls: urls, name: label)
    }
  }

  package let store: ModuleStore
  package let userAgent: String
  package let events: @Sendable (SyncEvent) -> Void

  package init(
    store: ModuleStore, userAgent: String, events: @escaping @Sendable (SyncEvent) -> Void = { _ in }
  ) {
    self.store = store
    self.userAgent = userAgent
    self.events = events
  }

  private var cache: ArchiveCache {
    ArchiveCache(folder: store.folder + "/archives", downloads: ParallelDownloads(userAgent: userAgent))
  }

  /// Bytes that have to come for those of `wanted` that are not stored.
  package func missing(_ wanted: [Wanted]) -> (modules: [Wanted], bytes: UInt64, count: Int) {
    let modules = wanted.filter { !store.contains(sha256: $0.release.archive.sha256) }
    let cache = cache
    let coming = modules.filter { !cache.contains($0.release.archive.sha256) }
    return (modules, coming.reduce(0) { $0 &+ $1.release.archive.size }, coming.count)
  }

  /// Brings and unpacks modules; those that are stored already only `anew`.
  ///
  /// - Parameter isOffline: Whether only what is on this machine may be used.
  /// - Throws: `ModuleError` `module-not-local` offline; those of downloads and of the store.
  package func bring(_ wanted: [Wanted], anew: Bool = false, isOffline: Bool = false) async throws(ModuleError) {
    let wanted = anew ? wanted : missing(wanted).modules
    guard !wanted.isEmpty else { return }
    // An archive that just came is not collected before it is unpacked.
    let use = try store.use()
    defer { withExtendedLifetime(use) {} }
    let paths = try await archives(wanted, anew: anew, isOffline: isOffline)
    try await unpack(zip(wanted, paths).map { ($0, $1) }, again: anew)
  }

  /// Has the archives of modules on this machine, unpacked or not.
  ///
  /// - Returns: Their paths, in the order of `wanted`.
  /// - Throws: `ModuleError` `module-not-local` offline; `module-archive-absent` where a registry is a folder without
  /// the
  ///   archive; those of downloads.
  func archives(_ wanted: [Wanted], anew: Bool = false, isOffline: Bool) async throws(ModuleError) -> [String] {
    let cache = cache
    var blobs: [ModuleBlob] = []
    for one in wanted {
      let blob = try one.blob(isOffline: isOffline)
      guard !blob.urls.isEmpty || cache.contains(blob.sha256) else {
        let values = ["name": one.release.manifest.name, "version": one.release.version.text]
        let registry = ["registry": one.archive.registry.name]
        throw ModuleError(isOffline ? .moduleNotLocal : .moduleArchiveAbsent, values.merging(registry) { $1 })
      }
      blobs.append(blob)
    }
    let coming = blobs.filter { anew || !cache.contains($0.sha256) }
    events(.downloading(count: coming.count, bytes: coming.reduce(0) { $0 &+ $1.size }))
    let events = events
    let paths = try await cache.fetch(blobs, anew: anew && !isOffline) { events(.archive($0)) }
    events(.downloaded)
    return paths
  }

  /// Unpacks a few archives at a time: digests and compression are work for the processor.
  private func unpack(_ archives: [(module: Wanted, path: String)], again: Bool) async throws(ModuleError) {
    let (store, events) = (store, events)
    let failure = await withTaskGroup(of: ModuleError?.self) { group in
      var rest = archives[...]
      var failure: ModuleError?
      func add(_ next: (module: Wanted, path: String)) {
        group.addTask {
          do throws(ModuleError) {
            let release = next.module.release
            try store.add(archive: next.path, as: release, again: again)
            events(.unpacked(name: release.manifest.name, version: release.version))
            return nil
          } catch {
            return error
          }
        }
      }
      for next in rest.prefix(4) { add(next) }
      rest = rest.dropFirst(4)
      for await result in group {
        failure = failure ?? result
        if failure == nil, let next = rest.popFirst() { add(next) }
      }
      return failure
    }
    if let failure { throw failure }
  }
}

extension ModuleError.Code {
  package static var lockedVersionGone: Self { Self("locked-version-gone", exit: .inputMissing) }
  package static var lockedArchiveDiffers: Self { refused("locked-archive-differs") }
  package static var moduleArchiveAbsent: Self { Self("module-archive-absent", exit: .inputMissing) }
  package static var moduleNotLocal: Self { Self("module-not-local", exit: .unreachable) }
}
