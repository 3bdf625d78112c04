import MPaaSDigests
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ModuleStore {
  /// Unpacks an archive; one that is there already changes nothing.
  ///
  /// Size and digest are checked before anything is unpacked, and the names inside before a folder gets one of them: in
  /// the store, files are named by their content. Whatever ends this process, and whenever, the module is there wholly or
  /// not at all. Of several processes that add the same module, one does the work and the others wait.
  ///
  /// - Parameters:
  ///   - path: The archive's file; it stays where it is.
  ///   - release: What the registry says of it.
  ///   - again: Whether to unpack it even if it is there, and mend what is damaged by that.
  ///   - progress: Gets the bytes that came out, piece by piece.
  /// - Throws: `ModuleError`: refused, or no room.
  @discardableResult
  package func add(
    archive path: String, as release: ModuleRelease, again: Bool = false, progress: (UInt64) -> Void = { _ in }
  ) throws(ModuleError) -> StoredModule {
    let sha256 = release.archive.sha256
    guard Self.isDigest(sha256) else { throw mismatch(path, release, sha256) }
    if !again, let module = module(sha256: sha256) { return module }
    try prepare()
    let use = try use()
    defer { withExtendedLifetime(use) {} }
    let mine = try StoreLock("\(folder)/locks/\(sha256)", .exclusive)
    defer { withExtendedLifetime(mine) {} }
    if !again, let module = module(sha256: sha256) { return module }
    Workspace.clearLeftovers(in: temporary, prefix: "")
    let bytes = try withFileErrors { () throws(FileError) in try Bytes.mapping(path) }
    try check(bytes, path, release)
    let unpacking = try Unpacking(in: self)
    let contents = try unpacking.unpack(bytes, release, progress)
    try unpacking.keep()
    let module = StoredModule(
      sha256: sha256, name: release.manifest.name, version: release.version,
      size: contents.files.reduce(0) { $0 + $1.size }, fileCount: contents.files.count,
      archiveSize: release.archive.size)
    try unpacking.publish(StoredModuleDocument(module: module, contents: contents))
    return module
  }

  private func prepare() throws(ModuleError) {
    for name in ["files", "modules", "tmp", "locks"] {
      try withFileErrors { () throws(FileError) in try Directories.create("\(folder)/\(name)") }
    }
  }

  private func check(_ bytes: Bytes, _ path: String, _ release: ModuleRelease) throws(ModuleError) {
    guard UInt64(bytes.count) == release.archive.size else {
      throw mismatch(path, release, "\(bytes.count) B")
    }
    let digest = bytes.sha256.hexadecimal
    guard digest == release.archive.sha256 else { throw mismatch(path, release, digest) }
  }

  private func mismatch(_ path: String, _ release: ModuleRelease, _ found: String) -> ModuleError {
    ModuleError(
      .archiveDigest,
      [
        "file": path, "name": release.manifest.name, "version": release.version.text, "found": found,
        "expected": found.hasSuffix(" B") ? "\(release.archive.size) B" : release.archive.sha256,
      ], at: .file(path))
  }
}
