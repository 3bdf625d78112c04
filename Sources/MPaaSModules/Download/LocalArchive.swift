import MPaaSSupport

/// An archive in a folder of this machine: linked into the cache, or copied from another file system.
struct LocalArchive {
  private let blob: ModuleBlob
  private let target: String
  private let partial: String

  init(_ blob: ModuleBlob, in cache: ArchiveCache) {
    self.blob = blob
    target = cache.path(of: blob.sha256)
    partial = cache.partialPath(of: blob.sha256)
  }

  /// Tells whether it is in the cache now.
  func bring() -> Bool {
    blob.localAddresses.contains { source in
      guard FileStatus(source)?.size == blob.size else { return false }
      return link(source) || copy(source)
    }
  }

  /// The reason why no path had it: a file that is there is another one.
  var error: ModuleError {
    let found = blob.localAddresses.first { FileStatus($0)?.kind == .file }
    let values = [
      "name": blob.name, "sha256": blob.sha256, "url": found ?? blob.urls.first ?? "", "reason": "",
    ]
    return ModuleError(found == nil ? .archiveMissing : .archiveDigestMismatch, values)
  }

  /// Checked under a name of its own: whatever happens to the source meanwhile, what gets the name was checked.
  private func link(_ source: String) -> Bool {
    guard let source = FileSystem.resolved(source) else { return false }
    let beside = target + ".link"
    try? FileSystem.remove(beside)
    guard (try? FileSystem.addName(beside, to: source)) == true else { return false }
    defer { try? FileSystem.remove(beside) }
    return isRight(beside) && (try? FileSystem.rename(beside, to: target)) != nil
  }

  private func copy(_ source: String) -> Bool {
    guard let file = try? PartialFile(continuing: partial, beside: target, limit: 0),
      let bytes = try? Bytes.mapping(source),
      UInt64(bytes.count) == blob.size, (try? file.append(bytes.buffer)) != nil
    else { return false }
    guard isRight(file.path) else {
      file.discard()
      return false
    }
    return (try? file.finish(isSettled: false)) != nil
  }

  private func isRight(_ path: String) -> Bool {
    ArchiveDigest.matches(path, size: blob.size, sha256: blob.sha256)
  }
}
