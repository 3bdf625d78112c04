import MPaaSArchive
package import MPaaSSupport

/// Reads the archive of a module, front to back: a zip, or a tar that is plain or compressed by zstd, gzip, bzip2 or
/// xz.
///
/// Entries that could lead out of the folder that they will be unpacked into, or be another tree on another system, are
/// refused, each with an identifier of its own (`ModuleError+Archive`). A zip is seen as its central directory and its
/// local headers say alike; setuid, setgid and sticky bits, owners and times are not handed on. libarchive is loaded at
/// the first use.
package struct ModuleArchiveReader: Sendable {
  package var limits: ModuleArchiveLimits

  package init(limits: ModuleArchiveLimits = ModuleArchiveLimits()) {
    self.limits = limits
  }

  /// Hands over each entry in the archive's order, and says at the end that the whole is a tree that may be made.
  ///
  /// The ends of links are known only at the end: nothing of what `visit` keeps may be given its path in a folder
  /// before this returns.
  ///
  /// - Parameters:
  ///   - bytes: The whole archive, mapped.
  ///   - name: What errors call it.
  ///   - visit: Reads what it wants of the entry, which is of no use afterwards.
  /// - Throws: `ModuleError`, also that of `visit`.
  package func read(
    _ bytes: Bytes, name: String, visit: (ModuleArchiveEntry) throws(ModuleError) -> Void
  ) throws(ModuleError) {
    let isZip = ArchiveForm(bytes.buffer) == .zip
    if isZip {
      // Bytes after a zip, or between its parts, are not seen by a reader that goes by its directory.
      try ZipDirectory(bytes.buffer, name: name).check(limits)
    }
    let source = try ArchiveSource(
      bytes, name: name, isZip: isZip, budget: limits.budget(archiveSize: bytes.count))
    var tree = ArchiveTree(name: name, limits: limits)
    while let member = try next(source, isFirst: tree.isEmpty) {
      if let entry = try entry(member, source, &tree) {
        try visit(entry)
        // A file of unknown size counts too; of a known one, libarchive goes past it.
        if entry.isFile, entry.size == nil { try entry.read { (_) throws(ModuleError) in } }
      }
    }
    try tree.checkLinks()
  }

  private func next(_ source: ArchiveSource, isFirst: Bool) throws(ModuleError) -> ArchiveMember? {
    do throws(ArchiveError) {
      return try source.member()
    } catch {
      // Bytes behind the last whole entry are no entry.
      let isCut = isFirst || error.reason.contains("runcated")
      throw source.error(isCut ? .archiveDamaged : .archiveTrailingBytes, "", error.reason)
    }
  }

  /// The entry of a member; nil for the folder that all are in.
  private func entry(
    _ member: ArchiveMember, _ source: ArchiveSource, _ tree: inout ArchiveTree
  ) throws(ModuleError) -> ModuleArchiveEntry? {
    guard member.compressions <= 1 else { throw source.error(.archiveNested, "") }
    guard let raw = member.path else { throw source.error(.archiveNameEncoding, "") }
    let path = try ArchivePath(checking: raw, in: source.name, limits)
    guard !member.isEncrypted else { throw source.error(.archiveEncrypted, path.text) }
    if let doubt = member.doubt { throw source.error(.archiveDamaged, path.text, doubt) }
    let kind: ModuleArchiveEntry.Kind
    switch member.kind {
    case .file(let isExecutable): kind = .file(isExecutable: isExecutable)
    case .folder: kind = .folder
    case .link: kind = .link(target: try ArchivePath.target(member.target, of: path, in: source.name, limits))
    case .hardLink: throw source.error(.archiveHardLink, path.text)
    case .other: throw source.error(.archiveDevice, path.text)
    }
    if path.parts.isEmpty, kind == .folder { return nil }
    try tree.insert(path, kind)
    let entry = ModuleArchiveEntry(
      path: path.text, kind: kind, size: member.size, source: source)
    if entry.isFile { try source.announce(entry.size, of: path.text) }
    return entry
  }
}
