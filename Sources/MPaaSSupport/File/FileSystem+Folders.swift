#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension FileSystem {
  /// Removes a folder with all that is in it, links themselves rather than what they point to; as far as it can.
  package static func removeTree(_ folder: String) {
    for name in (try? names(in: folder)) ?? [] {
      let path = folder + "/" + name
      if FileStatus(ofLink: path)?.kind == .folder { removeTree(path) } else { unlink(path) }
    }
    rmdir(folder)
  }

  /// Makes a folder of a new name beside `target`, with the permissions of any new folder.
  package static func makeFolder(beside target: String) throws(FileError) -> String {
    let path = try makeFolder(unique: "\(folder(of: target))/.\(name(of: target))", called: target)
    chmod(path, mode_t(0o777 & ~creationMask))
    return path
  }

  /// Makes a folder of a name that no other has, which its owner alone may enter.
  ///
  /// - Parameters:
  ///   - start: The path before the dot and the six characters that make it unique.
  ///   - name: The path that errors name.
  package static func makeFolder(unique start: String, called name: String) throws(FileError) -> String {
    var path = Array((start + ".XXXXXX").utf8CString)
    guard mkdtemp(&path) != nil else { throw .last(.create, name) }
    return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Gives a file that was written beside `target` that path, unless something stands there already.
  ///
  /// - Returns: Whether it did; the file has no other name afterwards.
  package static func place(_ path: String, at target: String) throws(FileError) -> Bool {
    defer { unlink(path) }
    if link(path, target) == 0 { return true }
    if errno == EEXIST { return false }
    // A file system without hard links: who comes at the same moment writes the same.
    guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno), FileStatus(ofLink: target) == nil else {
      throw .last(.create, target)
    }
    try rename(path, to: target)
    return true
  }
}
