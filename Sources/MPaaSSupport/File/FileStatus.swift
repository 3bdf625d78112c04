#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the file system says about a path.
package struct FileStatus: Sendable, Equatable {
  package enum Kind: Sendable { case file, folder, other }
  package let kind: Kind
  package let size: UInt64
  /// Seconds since 1970.
  package let modified: Int64
  /// The same in nanoseconds.
  package let modifiedNanoseconds: Int64
  /// Who may read, write and execute it: the lowest 12 bits of its mode.
  package let permissions: UInt16
  /// The file itself, whatever name it has: device and number on it.
  package let identity: [UInt64]

  /// The status of what stands at `path`, links followed; nil where nothing does or it cannot be seen.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The same, a link itself rather than what it points to (its kind is `other`).
  package init?(ofLink path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The status of an open file.
  package init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    default: kind = .other
    }
    size = UInt64(max(status.st_size, 0))
    permissions = UInt16(truncatingIfNeeded: status.st_mode) & 0o7777
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Int64(time.tv_sec)
    modifiedNanoseconds = (modified &* 1_000_000_000) &+ Int64(time.tv_nsec)
    identity = [UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)]
  }
}

/// Operations on folders and names.
package enum FileSystem {
  /// The names in a folder without `.` and `..`, sorted.
  ///
  /// - Throws: `FileError` where the folder cannot be read.
  package static func names(in folder: String) throws(FileError) -> [String] {
    guard let stream = opendir(folder) else { throw .last(.list, folder) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// The names in a folder with what they are, sorted; the kind of a link is that of what it points to.
  ///
  /// - Throws: `FileError` where the folder cannot be read.
  package static func entries(in folder: String) throws(FileError) -> [(name: String, kind: FileStatus.Kind)] {
    guard let stream = opendir(folder) else { throw .last(.list, folder) }
    defer { closedir(stream) }
    var entries: [(name: String, kind: FileStatus.Kind)] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      // Most file systems tell the kind here, so that folders of many files need no look at each.
      switch Int32(entry.pointee.d_type) {
      case Int32(DT_REG): entries.append((name, .file))
      case Int32(DT_DIR): entries.append((name, .folder))
      default: entries.append((name, FileStatus(folder + "/" + name)?.kind ?? .other))
      }
    }
    return entries.sorted { $0.name < $1.name }
  }

  /// Removes a file; one that is not there is fine.
  package static func remove(_ path: String) throws(FileError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .last(.remove, path) }
  }

  /// Removes a folder if it is empty, and says whether it did.
  @discardableResult
  package static func removeIfEmpty(_ folder: String) -> Bool {
    rmdir(folder) == 0
  }

  /// Sets a file's modification time to now; says whether it could.
  @discardableResult
  package static func touch(_ path: String) -> Bool {
    utimensat(AT_FDCWD, path, nil, 0) == 0
  }

  /// Runs `body` while no other process that asks for the same lock file does.
  ///
  /// The system releases the lock when the process ends, however that happens.
  package static func withLock<Value>(
    _ path: String, _ body: () throws(FileError) -> Value
  ) throws(FileError) -> Value {
    let lock = try LockFile(path, .making(0o644))
    if case .impossible(let error) = lock.wait() { throw error }
    defer { withExtendedLifetime(lock) {} }
    return try body()
  }

  /// The permissions that new files do not get.
  ///
  /// Reading it changes it for a moment, in which other threads would make files that everybody may write; so it is read
  /// once.
  static let creationMask: mode_t = {
    let mask = umask(0)
    umask(mask)
    return mask
  }()

  /// The last part of a path.
  package static func name(of path: String) -> String {
    // By bytes: a mark behind a slash makes one character of both.
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
  }

  /// The path without its last part; `.` for a name alone.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The path with all links resolved; nil where it does not exist.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
