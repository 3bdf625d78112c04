import MPaaSSupport
import MPaaSTrust

extension RepositoryDraft {
  /// Writes what is staged, and the settings.
  func save() throws(TrustError) {
    do throws(FileError) {
      for folder in [folder.path, folder.metadata, folder.targets, folder.staged, folder.stagedFiles] {
        try Directories.create(folder)
      }
      try Self.write(settings.encoded, to: folder.settings)
      for (digest, bytes) in content {
        let path = folder.stagedFiles + "/" + digest
        if FileStatus(path)?.size != UInt64(bytes.count) { try bytes.write(to: path) }
      }
      for (name, file) in staged { try Self.write(file.encoded, to: folder.staged(name)) }
      // Root last: a new repository is none before its root is there, and its other files are there with it.
      if let stagedRoot { try Self.write(stagedRoot.encoded, to: folder.staged("root")) }
      for name in stagedBefore where name != "root" && staged[name] == nil {
        try FileSystem.remove(folder.staged(name))
      }
      if stagedBefore.contains("root"), stagedRoot == nil { try FileSystem.remove(folder.staged("root")) }
    } catch {
      throw TrustError(error)
    }
  }

  /// Makes `publication` what readers see, in an order in which they see the old repository or the new one.
  mutating func publish(_ publication: Publication) throws(TrustError) -> [RepositoryEditor.Outcome.Published] {
    for file in publication.roles.values { try publishContent(of: file.body) }
    let isRootFirst = publication.isNewRoot && !isValidBeforeRoot(publication)
    do throws(FileError) {
      if isRootFirst { try write(publication.root) }
      for (name, file) in publication.roles {
        try Self.write(file.encoded, to: folder.metadata(name, file.body.header.version))
      }
      if let file = publication.snapshot {
        try Self.write(file.encoded, to: folder.metadata("snapshot", file.body.header.version))
      }
      // The timestamp names files that are on the disk.
      FileSystem.settle(folder.metadata)
      if let file = publication.timestamp { try Self.write(file.encoded, to: folder.timestamp) }
      if publication.isNewRoot, !isRootFirst { try write(publication.root) }
      FileSystem.settle(folder.metadata)
    } catch {
      throw TrustError(error)
    }
    return try settle(publication)
  }

  /// Tells whether readers that know only the old root accept what goes out; then the new root goes last.
  private func isValidBeforeRoot(_ publication: Publication) -> Bool {
    guard let root else { return false }
    func accepts<Body>(_ file: SignedMetadata<Body>?, _ role: TopRole) -> Bool {
      file.map { Self.holder(role, root.body).accepts($0) } ?? true
    }
    return accepts(publication.timestamp, .timestamp) && accepts(publication.snapshot, .snapshot)
      && accepts(publication.roles["targets"], .targets)
  }

  private func write(_ root: SignedMetadata<RootMetadata>) throws(FileError) {
    try Self.write(root.encoded, to: folder.metadata("root", root.body.header.version))
  }

  /// Writes a file unless it stands there already.
  private static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    if let status = FileStatus(path), status.kind == .file, status.size == bytes.count,
      (try? Bytes.reading(path))?.array == bytes
    {
      return
    }
    try Bytes(bytes).write(to: path)
  }

  private func publishContent(of body: TargetsMetadata) throws(TrustError) {
    var changed: Set<String> = []
    for (name, file) in body.targets {
      guard let digest = file.digests.hexadecimal["sha256"] else { continue }
      let path = folder.target(name, sha256: digest)
      if FileStatus(path) != nil { continue }
      // A file name is no place for what somebody else's metadata may say.
      try TargetName.validate(name)
      let source = folder.stagedFiles + "/" + digest
      guard FileStatus(source) != nil else { throw Self.missing(path) }
      try RepositoryFolder.link(source, to: path)
      changed.insert(FileSystem.folder(of: path))
    }
    for folder in changed { FileSystem.settle(folder) }
  }

  /// Takes what was published out of what is staged.
  private mutating func settle(
    _ publication: Publication
  ) throws(TrustError) -> [RepositoryEditor.Outcome.Published] {
    var published: [RepositoryEditor.Outcome.Published] = []
    func note(_ role: String, _ header: MetadataHeader) {
      published.append(.init(role: role, version: header.version, expires: MetadataTime.text(header.expires)))
    }
    if publication.isNewRoot { note("root", publication.root.body.header) }
    for (name, file) in publication.roles.sorted(by: { $0.key < $1.key }) { note(name, file.body.header) }
    if let file = publication.snapshot { note("snapshot", file.body.header) }
    if let file = publication.timestamp { note("timestamp", file.body.header) }
    do throws(FileError) {
      if publication.isNewRoot { try FileSystem.remove(folder.staged("root")) }
      for name in publication.roles.keys { try FileSystem.remove(folder.staged(name)) }
    } catch {
      throw TrustError(error)
    }
    if publication.isNewRoot { stagedRoot = nil }
    root = publication.root
    if let file = publication.snapshot { snapshot = file }
    if let file = publication.timestamp { timestamp = file }
    for (name, file) in publication.roles {
      staged[name] = nil
      remember(file, as: name)
    }
    try dropUnneededContent()
    return published
  }

  /// Removes staged files that nothing staged speaks of any more.
  private func dropUnneededContent() throws(TrustError) {
    let needed = Set(staged.values.flatMap { $0.body.targets.values.compactMap { $0.digests.hexadecimal["sha256"] } })
    do throws(FileError) {
      for name in try FileSystem.names(in: folder.stagedFiles) where !needed.contains(name) {
        try FileSystem.remove(folder.stagedFiles + "/" + name)
      }
    } catch {
      throw TrustError(error)
    }
  }
}
