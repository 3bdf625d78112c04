#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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

  /// Gives a folder or a file another path; a folder takes the place of an empty one only.
  package static func rename(_ path: String, to target: String) throws(FileError) {
    #if canImport(Darwin)
      let status = Darwin.rename(path, target)
    #elseif canImport(Glibc)
      let status = Glibc.rename(path, target)
    #else
      let status = Musl.rename(path, target)
    #endif
    guard status == 0 else { throw .last(.rename, target) }
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
  package static let creationMask: UInt16 = {
    let mask = umask(0)
    umask(mask)
    return UInt16(truncatingIfNeeded: mask)
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
}
