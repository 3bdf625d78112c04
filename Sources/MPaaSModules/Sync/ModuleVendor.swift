package import MPaaSSupport
import MPaaSVerification

/// Makes folders that are registries with a part of another one's archives: its metadata as it was signed, the indexes
/// of all its modules, and the archives that somebody needs.
package struct ModuleVendor: Sendable {
  /// The result for one registry.
  package struct Made: Sendable, Equatable {
    package let registry: String
    package let folder: String
    /// The root to trust.
    package let root: String
    package let modules: Int
    /// Bytes of the archives.
    package let size: UInt64
  }

  /// The files of such a folder.
  package struct Contents: Sendable {
    package struct File: Sendable {
      /// From the folder.
      package let path: String
      package let bytes: Bytes
      /// An archive, whose name has its digest in it: one that is there is left.
      fileprivate let isArchive: Bool
    }

    package let registry: String
    /// In the order in which they are written: the timestamp, by which readers begin, behind all that it speaks of.
    package let files: [File]
    package let modules: Int
    /// Bytes of the archives.
    package let size: UInt64
  }

  /// The root to trust, from a folder that was made.
  package static let rootName = "root.json"

  private let downloads: ModuleDownloads

  package init(store: ModuleStore, userAgent: String, events: @escaping @Sendable (SyncEvent) -> Void = { _ in }) {
    downloads = ModuleDownloads(store: store, userAgent: userAgent, events: events)
  }

  /// - Parameter folder: Holds one registry by itself, several in folders of their names.
  /// - Throws: `ModuleError` of downloads, and why files could not be written.
  package func make(
    _ wanted: [ModuleDownloads.Wanted], of catalog: ModuleCatalog, in folder: String, isOffline: Bool
  ) async throws(ModuleError) -> [Made] {
    let all = try await contents(wanted, of: catalog, isOffline: isOffline)
    var made: [Made] = []
    for contents in all {
      let place = all.count == 1 ? folder : folder + "/" + contents.registry
      for file in contents.files { try write(file, to: place) }
      made.append(
        Made(
          registry: contents.registry, folder: place, root: place + "/" + Self.rootName, modules: contents.modules,
          size: contents.size))
    }
    return made
  }

  /// The files of the folders, one for each registry that has some of the modules; archives are brought for that.
  ///
  /// - Throws: `ModuleError` of downloads, and of metadata that is another meanwhile.
  package func contents(
    _ wanted: [ModuleDownloads.Wanted], of catalog: ModuleCatalog, isOffline: Bool
  ) async throws(ModuleError) -> [Contents] {
    guard !wanted.isEmpty else { throw ModuleError(.vendorNothing) }
    let paths = try await downloads.archives(wanted, isOffline: isOffline)
    var all: [Contents] = []
    for registry in catalog.registries {
      let own = zip(wanted, paths).filter { $0.0.archive.registry == registry.registry }
      guard !own.isEmpty else { continue }
      var files: [Contents.File] = []
      for (module, path) in own {
        files.append(try file(of: module.archive.target, registry.client, try mapped(path), isArchive: true))
      }
      for (name, bytes) in registry.indexes.sorted(by: { $0.key < $1.key }) {
        guard let target = registry.indexTargets[name] else { continue }
        files.append(try file(of: target, registry.client, bytes, isArchive: false))
      }
      files += try metadata(of: registry)
      all.append(
        Contents(
          registry: registry.registry.name, files: files, modules: own.count,
          size: own.reduce(0) { $0 &+ $1.0.release.archive.size }))
    }
    return all
  }

  private func file(
    of target: TrustedTarget, _ client: RepositoryClient, _ bytes: Bytes, isArchive: Bool
  ) throws(ModuleError) -> Contents.File {
    let name = try CatalogLoader.trusted { () throws(TrustError) in try client.remoteName(of: target) }
    return Contents.File(path: "targets/" + name, bytes: bytes, isArchive: isArchive)
  }

  private func mapped(_ path: String) throws(ModuleError) -> Bytes {
    do throws(FileError) { return try Bytes.mapping(path) } catch { throw ModuleError(error) }
  }

  /// The metadata as it was signed, and the root to trust.
  private func metadata(of registry: RegistryContents) throws(ModuleError) -> [Contents.File] {
    let files = try registry.metadata()
    let sorted = files.sorted {
      ($0.name == "timestamp.json" ? 1 : 0, $0.name) < ($1.name == "timestamp.json" ? 1 : 0, $1.name)
    }
    let root = files.first { $0.name.hasSuffix(".root.json") }
    return sorted.map { Contents.File(path: "metadata/" + $0.name, bytes: Bytes($0.bytes), isArchive: false) }
      + (root.map { [Contents.File(path: Self.rootName, bytes: Bytes($0.bytes), isArchive: false)] } ?? [])
  }

  /// Copies, so that a folder which is handed on shares no file with this machine's archives.
  private func write(_ file: Contents.File, to folder: String) throws(ModuleError) {
    let path = folder + "/" + file.path
    if file.isArchive, FileStatus(path)?.size == UInt64(clamping: file.bytes.count) { return }
    do throws(FileError) {
      try Directories.create(FileSystem.folder(of: path))
      try file.bytes.write(to: path)
    } catch { throw ModuleError(error) }
  }
}

extension ModuleError.Code {
  package static var vendorNothing: Self { Self("vendor-nothing", exit: .usage) }
}
