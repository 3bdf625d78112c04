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

  /// Makes a folder of a name that nobody has beside `target`, with the permissions of any new folder.
  package static func makeFolder(beside target: String) throws(FileError) -> String {
    var template = Array("\(folder(of: target))/.\(name(of: target)).XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .last(.create, target) }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    chmod(path, 0o777 & ~creationMask)
    return path
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

  /// Gives a file one more name.
  ///
  /// - Returns: Whether it did; false where something has that name already.
  /// - Throws: `FileError` where the file system knows no such thing, or not for these two.
  @discardableResult
  package static func addName(_ name: String, to path: String) throws(FileError) -> Bool {
    if link(path, name) == 0 { return true }
    guard errno == EEXIST else { throw .last(.create, name) }
    return false
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
}
