package import MPaaSSupport
import MPaaSVerification

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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

  private let downloads: ModuleDownloads

  package init(store: ModuleStore, userAgent: String, events: @escaping @Sendable (SyncEvent) -> Void = { _ in }) {
    downloads = ModuleDownloads(store: store, userAgent: userAgent, events: events)
  }

  /// - Parameter folder: Holds one registry by itself, several in folders of their names.
  /// - Throws: `ModuleError` of downloads, and why files could not be written.
  package func make(
    _ wanted: [ModuleDownloads.Wanted], of catalog: ModuleCatalog, in folder: String, isOffline: Bool
  ) async throws(ModuleError) -> [Made] {
    guard !wanted.isEmpty else { throw ModuleError(.vendorNothing) }
    let paths = try await downloads.archives(wanted, isOffline: isOffline)
    let used = catalog.registries.filter { contents in wanted.contains { $0.archive.registry == contents.registry } }
    var made: [Made] = []
    for contents in used {
      let place = used.count == 1 ? folder : folder + "/" + contents.registry.name
      let own = zip(wanted, paths).filter { $0.0.archive.registry == contents.registry }
      for (module, path) in own { try copy(path, to: place, module.archive.target, contents.client) }
      try writeIndexes(contents, to: place)
      let root = try writeMetadata(contents, to: place)
      made.append(
        Made(
          registry: contents.registry.name, folder: place, root: root, modules: own.count,
          size: own.reduce(0) { $0 &+ $1.0.release.archive.size }))
    }
    return made
  }

  private func place(
    of target: TrustedTarget, _ client: RepositoryClient, in folder: String
  ) throws(ModuleError) -> String {
    let name = try CatalogLoader.trusted { () throws(TrustError) in try client.remoteName(of: target) }
    let path = folder + "/targets/" + name
    do throws(FileError) { try Directories.create(FileSystem.folder(of: path)) } catch { throw ModuleError(error) }
    return path
  }

  /// Copies, so that a folder which is handed on shares no file with this machine's archives; one that is there is
  /// left.
  private func copy(
    _ source: String, to folder: String, _ target: TrustedTarget, _ client: RepositoryClient
  ) throws(ModuleError) {
    let path = try place(of: target, client, in: folder)
    if FileStatus(path)?.size == UInt64(clamping: target.length) { return }
    do throws(FileError) { try Bytes.mapping(source).write(to: path) } catch { throw ModuleError(error) }
  }

  private func writeIndexes(_ contents: RegistryContents, to folder: String) throws(ModuleError) {
    for (name, bytes) in contents.indexes.sorted(by: { $0.key < $1.key }) {
      guard let target = contents.indexTargets[name] else { continue }
      let path = try place(of: target, contents.client, in: folder)
      do throws(FileError) { try bytes.write(to: path) } catch { throw ModuleError(error) }
    }
  }

  /// - Returns: The path of the root to trust.
  private func writeMetadata(_ contents: RegistryContents, to folder: String) throws(ModuleError) -> String {
    let files = try CatalogLoader.trusted { () throws(TrustError) in try contents.client.trustedFiles() }
    do throws(FileError) {
      try Directories.create(folder + "/metadata")
      // The timestamp, by which readers begin, last.
      for file in files.sorted(by: {
        ($0.name == "timestamp.json" ? 1 : 0, $0.name) < ($1.name == "timestamp.json" ? 1 : 0, $1.name)
      }) {
        try Bytes(file.bytes).write(to: folder + "/metadata/" + file.name)
      }
      let root = folder + "/root.json"
      if let bytes = files.first(where: { $0.name.hasSuffix(".root.json") })?.bytes { try Bytes(bytes).write(to: root) }
      return root
    } catch { throw ModuleError(error) }
  }
}

extension ModuleError.Code {
  package static var vendorNothing: Self { Self("vendor-nothing", exit: .usage) }
}
