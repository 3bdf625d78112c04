import MPaaSArchive
import MPaaSDigests
import MPaaSModules
import MPaaSProtocol
import MPaaSSupport

/// An archive of the modules of an app, in a file.
struct PackedModules: Sendable {
  var path: String
  /// Bytes.
  var size: Int64
  /// Another for any other content.
  var tag: String
}

/// Makes archives of modules: `mpaas.toml` and `mpaas.lock`, and below `modules` the registries that these come from,
/// each with its metadata as it was signed, its indexes and those archives.
///
/// One is made at a time, and once for the same content: the newest of each app is kept.
struct ModulePacking: Sendable {
  /// The folder within an archive that has registries.
  private static let folder = "modules"

  private let services: ServerServices
  private let registries: ModuleRegistries

  init(_ services: ServerServices, _ registries: ModuleRegistries) {
    (self.services, self.registries) = (services, registries)
  }

  private var place: String { "\(services.configuration.data)/modules/packed" }
  private var store: ModuleStore { ModuleStore(folder: registries.directories.modules) }

  /// - Throws: `ModuleError` of downloads, and of metadata that is another meanwhile.
  func archive(of choice: ModuleChoice, for app: Access.App, _ catalog: ModuleCatalog) async throws -> PackedModules {
    let (manifest, lock) = (self.manifest(of: choice), choice.lock)
    // As many digits as keep them apart; the app's key is nothing to tell.
    let own = String(app.key.utf8.sha256.hexadecimal.prefix(16))
    let tag = try await registries.threads { try Self.tag(manifest.text, lock, catalog) }
    return try await services.packings {
      let path = "\(place)/\(own)-\(tag.prefix(32)).zip"
      if let size = FileStatus(path)?.size { return PackedModules(path: path, size: Int64(clamping: size), tag: tag) }
      let size = try await registries.threads {
        let contents = try await vendored(lock, catalog)
        try write(manifest.text, lock.text, contents, to: path)
        return FileStatus(path)?.size ?? 0
      }
      let kept = try await services.store.read { try ModuleChoice.archives(in: $0) }
      try await registries.threads { sweep(own, besides: path, archives: kept) }
      return PackedModules(path: path, size: Int64(clamping: size), tag: tag)
    }
  }

  /// The manifest with the registries beside it, in the order in which they are asked.
  private func manifest(of choice: ModuleChoice) -> ProjectManifest {
    var manifest = choice.manifest
    let used = Set(choice.lock.modules.map(\.registry))
    manifest.registries = registries.registries.filter { used.contains($0.name) }.map {
      let url = "\(Self.folder)/\($0.name)"
      return ProjectRegistry(name: $0.name, url: url, root: "\(url)/\(ModuleVendor.rootName)")
    }
    return manifest
  }

  /// The digest of all that an archive is made of.
  private static func tag(
    _ manifest: String, _ lock: ProjectLock, _ catalog: ModuleCatalog
  ) throws(ModuleError) -> String {
    var parts = [Array(manifest.utf8), Array(lock.text.utf8)]
    let used = Set(lock.modules.map(\.registry))
    for registry in catalog.registries where used.contains(registry.registry.name) {
      for file in try registry.metadata().sorted(by: { $0.name < $1.name }) {
        parts += [Array(file.name.utf8), file.bytes]
      }
    }
    // Each by its own digest, so that none is a part of the next.
    return parts.flatMap(\.sha256).sha256.hexadecimal
  }

  private func vendored(_ lock: ProjectLock, _ catalog: ModuleCatalog) async throws -> [ModuleVendor.Contents] {
    let wanted = try lock.modules.map { try ModuleDownloads.Wanted($0, of: catalog) }
    let vendor = ModuleVendor(store: store, userAgent: ModuleRegistries.userAgent)
    return try await vendor.contents(wanted, of: catalog, isOffline: false)
  }

  private func write(
    _ manifest: String, _ lock: String, _ contents: [ModuleVendor.Contents], to path: String
  ) throws {
    try Directories.create(place)
    let file = try PartialFile(beside: path)
    do {
      let archive = try ArchiveWriter(.zip, into: file)
      func add(_ name: String, _ bytes: Bytes) throws(ArchiveWriter.Failure) {
        try archive.add(name, .file(isExecutable: false), [bytes])
      }
      try add(ProjectManifest.fileName, Bytes(Array(manifest.utf8)))
      try add(ProjectLock.fileName, Bytes(Array(lock.utf8)))
      for registry in contents {
        for file in registry.files { try add("\(Self.folder)/\(registry.registry)/\(file.path)", file.bytes) }
      }
      try archive.finish()
    } catch {
      throw ServerError(.fault, ["reason": error.reason])
    }
    try file.finish(mode: 0o600)
  }

  /// Removes older archives of an app, and modules that no app has chosen any more.
  private func sweep(_ own: String, besides path: String, archives: Set<String>) {
    for name in (try? FileSystem.names(in: place)) ?? []
    where name.hasPrefix("\(own)-") && "\(place)/\(name)" != path {
      try? FileSystem.remove("\(place)/\(name)")
    }
    let folder = FileSystem.folder(of: store.archive(sha256: ""))
    for name in (try? FileSystem.names(in: folder)) ?? [] where ModuleStore.isDigest(name) && !archives.contains(name) {
      try? FileSystem.remove("\(folder)/\(name)")
    }
  }
}
