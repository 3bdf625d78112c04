import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Builds the tree of a module in an empty folder, out of the store's files.
struct TreeBuilder: ~Copyable {
  private let tree: Int32
  private let store: Int32
  private let storePath: String
  private var folders: Set<Substring> = []
  private var lastFolder: Substring = ""
  /// What has worked so far; the next cheaper one is not tried again after it failed for good.
  private(set) var way: Placement.Way

  init(in folder: String, from files: String, _ way: Placement.Way) throws(ModuleError) {
    storePath = files
    self.way = way
    let tree = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard tree >= 0 else { throw ModuleError(FileError.last(.open, folder)) }
    let store = open(files, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard store >= 0 else {
      let error = FileError.last(.open, files)
      close(tree)
      throw ModuleError(error)
    }
    self.tree = tree
    self.store = store
  }

  deinit {
    close(tree)
    close(store)
  }

  /// Makes all, and says what the marker has to tell.
  mutating func build(_ contents: StoredContents) throws(FileError) -> (Fingerprint, [PlacedFolder.File]) {
    var fingerprint = Fingerprint()
    var placed: [PlacedFolder.File] = []
    placed.reserveCapacity(contents.files.count + contents.links.count)
    for folder in contents.folders { try make(folder[...]) }
    for file in contents.files {
      try makeFolder(of: file.path)
      try place(file)
      placed.append(try record(file.path, file.sha256, &fingerprint))
    }
    for link in contents.links {
      try makeFolder(of: link.path)
      guard symlinkat(link.target, tree, link.path) == 0 else { throw .last(.create, link.path) }
      placed.append(try record(link.path, "->" + link.target, &fingerprint))
    }
    for folder in folders {
      var status = stat()
      guard fstatat(tree, String(folder), &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .last(.open, String(folder)) }
      Self.add(String(folder), status, &fingerprint)
    }
    return (fingerprint, placed)
  }

  private func record(
    _ path: String, _ content: String, _ fingerprint: inout Fingerprint
  ) throws(FileError) -> PlacedFolder.File {
    var status = stat()
    guard fstatat(tree, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .last(.open, path) }
    Self.add(path, status, &fingerprint)
    return PlacedFolder.File(
      path: path, size: UInt64(status.st_size), modified: status.modified, sha256: content)
  }

  private static func add(_ path: String, _ status: stat, _ fingerprint: inout Fingerprint) {
    var path = path
    path.withUTF8 { fingerprint.add($0, status) }
  }

  private mutating func makeFolder(of path: String) throws(FileError) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
    let folder = path[..<slash]
    // Sorted paths: the next file is mostly in the same folder.
    if folder == lastFolder { return }
    try make(folder)
    lastFolder = folder
  }

  private mutating func make(_ folder: Substring) throws(FileError) {
    guard folders.insert(folder).inserted else { return }
    if let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) { try make(folder[..<slash]) }
    guard mkdirat(tree, String(folder), 0o755) == 0 else { throw .last(.create, String(folder)) }
  }

  private mutating func place(_ file: StoredContents.File) throws(FileError) {
    let source = file.place
    #if canImport(Darwin)
      if way == .clone {
        if clonefileat(store, source, tree, file.path, UInt32(CLONE_NOFOLLOW)) == 0 { return }
        guard errno != ENOENT else { throw .last(.open, storePath + "/" + source) }
        way = .hardLink
      }
    #endif
    if way == .hardLink {
      if linkat(store, source, tree, file.path, 0) == 0 { return }
      switch errno {
      case ENOENT: throw .last(.open, storePath + "/" + source)
      // Only this file has all the names that it may have.
      case EMLINK: return try copy(source, file, isWritable: false)
      case EXDEV, EPERM, EOPNOTSUPP, ENOSYS, EACCES: way = .readOnlyCopy
      default: throw .last(.create, file.path)
      }
    }
    try copy(source, file, isWritable: way == .copy)
  }

  private func copy(_ source: String, _ file: StoredContents.File, isWritable: Bool) throws(FileError) {
    let input = openat(store, source, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw .last(.open, storePath + "/" + source) }
    defer { close(input) }
    let mode: mode_t = (isWritable ? 0o644 : 0o444) | (file.isExecutable ? 0o111 : 0)
    let output = openat(tree, file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard output >= 0 else { throw .last(.create, file.path) }
    defer { close(output) }
    try FolderTree.copy(input, output, size: file.size, file.path)
  }
}
