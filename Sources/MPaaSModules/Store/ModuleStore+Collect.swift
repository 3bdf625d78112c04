import MPaaSSupport

/// The modules that a collection removes, or would.
package struct StoreCollection: Sendable, Equatable {
  /// The modules that nothing uses.
  package var removed: [StoredModule] = []
  /// Files, trees, archives and other paths that went with them, or were left over.
  package var pathCount = 0
  /// Bytes on the disk.
  package var size: UInt64 = 0
  /// Projects that are not there any more, sorted.
  package var goneProjects: [String] = []
  /// The number of projects that still say what they use.
  package var projectCount = 0
}

extension ModuleStore {
  /// Removes the modules that nothing uses, and all files that belong to no module.
  ///
  /// It waits for the processes that use the store, and those that come meanwhile wait for it. A file that a project
  /// has as a hard link keeps its content there.
  ///
  /// - Parameters:
  ///   - keep: Digests of modules that stay in any case.
  ///   - all: Whether modules that projects use are removed too.
  ///   - keepsArchives: Whether archives of removed modules stay, so that they need no download.
  ///   - isTrial: Whether to change nothing.
  ///   - patience: Milliseconds to wait for others.
  ///   - used: The digests that the lock in a project's folder names; nil where the project is gone.
  /// - Throws: `ModuleError`, also that of `used`: what cannot be read may name any module, so that none is removed.
  package func collect(
    keeping keep: Set<String> = [], all: Bool = false, keepsArchives: Bool = false, isTrial: Bool = false,
    patience: Int = 10_000, used: (String) throws(ModuleError) -> Set<String>?
  ) throws(ModuleError) -> StoreCollection {
    var collection = StoreCollection()
    guard FileStatus(folder)?.kind == .folder else { return collection }
    let lock = try StoreLock(folder + "/lock", .exclusive, limit: patience)
    defer { withExtendedLifetime(lock) {} }
    var kept = keep
    for project in try knownProjects().sorted().map(\.text) {
      if let digests = try used(project) {
        collection.projectCount += 1
        if !all { kept.formUnion(digests) }
      } else {
        collection.goneProjects.append(project)
      }
    }
    let isKept = kept
    let sweep = try Sweep(self, isTrial: isTrial) { isKept.contains($0) }
    if !isTrial { try drop(projects: collection.goneProjects) }
    try sweep.run(keepsArchives: keepsArchives)
    collection.removed = sweep.removed
    collection.pathCount = sweep.pathCount
    collection.size = sweep.size
    return collection
  }
}

/// One collection; the store is locked.
private final class Sweep {
  private let store: ModuleStore
  private let isTrial: Bool
  private let isKept: (String) -> Bool
  private(set) var removed: [StoredModule] = []
  private(set) var pathCount = 0
  private(set) var size: UInt64 = 0
  /// Digests of the modules that stay.
  private var stays: Set<String> = []
  /// Their files, by the place in the store.
  private var files: Set<String> = []

  init(_ store: ModuleStore, isTrial: Bool, isKept: @escaping (String) -> Bool) throws(ModuleError) {
    self.store = store
    self.isTrial = isTrial
    self.isKept = isKept
    for sha256 in try store.digests() {
      let module = store.module(sha256: sha256)
      if isKept(sha256), let module, let contents = try? store.contents(of: module) {
        stays.insert(sha256)
        files.formUnion(contents.files.lazy.map(\.place))
      } else if isKept(sha256) {
        // Damaged: its files may still be what mends it.
        throw store.damaged(sha256, store.document(sha256))
      } else if let module {
        removed.append(module)
      }
    }
    removed.sort { $0.name == $1.name ? $0.version > $1.version : $0.name < $1.name }
  }

  func run(keepsArchives: Bool) throws(ModuleError) {
    // Documents first: what has none is not there, whenever this is ended.
    try sweep("modules") { name in name.hasSuffix(".json") && self.stays.contains(String(name.dropLast(5))) }
    if !isTrial { FileSystem.settle(store.documents) }
    try sweep("trees") { self.stays.contains($0) }
    for prefix in try names("files") {
      try sweep("files/" + prefix) { self.files.contains(prefix + "/" + $0) }
      if !isTrial { FileSystem.removeIfEmpty("\(store.files)/\(prefix)") }
    }
    try sweep("archives") { name in
      // With what is left of a download that was ended; one that goes on, or that a project waits for, stays.
      let sha256 = String(name.prefix { $0 != "." })
      guard ModuleStore.isDigest(sha256), !keepsArchives, !self.stays.contains(sha256) else { return true }
      return self.isKept(sha256) || ArchiveLock.isHeld(self.store.archive(sha256: sha256) + ".lock")
    }
    let leftovers = Set(Workspace.leftovers(in: store.temporary, prefix: ""))
    try sweep("tmp") { !leftovers.contains($0) }
    if !isTrial { for name in try names("locks") { try? FileSystem.remove("\(store.folder)/locks/\(name)") } }
  }

  private func names(_ folder: String) throws(ModuleError) -> [String] {
    let path = store.folder + "/" + folder
    guard FileStatus(path)?.kind == .folder else { return [] }
    return try withFileErrors { () throws(FileError) in try FileSystem.names(in: path) }
  }

  private func sweep(_ folder: String, except stays: (String) -> Bool) throws(ModuleError) {
    for name in try names(folder) where !stays(name) {
      let path = "\(store.folder)/\(folder)/\(name)"
      pathCount += 1
      // Trees are other names of files that are counted where they are.
      if folder != "trees", let status = FileStatus(ofLink: path), status.kind == .file { size += status.size }
      if !isTrial { try remove(path, isTree: folder == "trees") }
    }
  }

  /// A tree goes at once for those who look at it through a link, whenever this is ended.
  private func remove(_ path: String, isTree: Bool) throws(ModuleError) {
    guard isTree else { return FolderTree.removeAny(path) }
    try withFileErrors { () throws(FileError) in try Directories.create(store.temporary) }
    let workspace = try Workspace.make(in: store.temporary, prefix: "")
    do throws(FileError) {
      try FileSystem.rename(path, to: workspace.path + "/tree")
    } catch {
      throw ModuleError(FileError(.remove, path, error.code))
    }
  }
}
