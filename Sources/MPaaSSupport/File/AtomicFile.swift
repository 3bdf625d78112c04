#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Bytes {
  /// Writes the bytes beside `path` and renames them into place, so that a reader sees the old file or the new one; after
  /// a loss of power too, where only `FileSystem.settle` makes sure that it is the new one.
  ///
  /// A device or a pipe is written to as it is, since renaming would put a file in its place; of a link the file is
  /// replaced that it points to.
  ///
  /// - Parameter mode: The permissions of the new file, before the umask.
  /// - Throws: `FileError`; nothing is left behind then.
  package func write(to path: String, mode: UInt16 = 0o644) throws(FileError) {
    guard FileStatus(ofLink: path)?.kind == .other, let status = FileStatus(path) else {
      return try replace(path, mode)
    }
    if status.kind == .other { return try pour(into: path) }
    guard let target = realpath(path, nil) else { throw .last(.create, path) }
    defer { free(target) }
    try replace(String(cString: target), mode)
  }

  private func pour(into path: String) throws(FileError) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .last(.create, path) }
    defer { close(descriptor) }
    try FileSystem.writeAll(descriptor, buffer, path)
  }

  private func replace(_ path: String, _ mode: UInt16) throws(FileError) {
    var name = Array((path + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    let temporary = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else { throw .last(.create, path) }
    UnfinishedFiles.remember(temporary)
    defer { UnfinishedFiles.forget(temporary) }
    do throws(FileError) {
      defer { close(descriptor) }
      fchmod(descriptor, mode_t(mode) & ~FileSystem.creationMask)
      try FileSystem.writeAll(descriptor, buffer, path)
      guard fsync(descriptor) == 0 || errno == EINVAL else { throw FileError.last(.write, path) }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let error = FileError.last(.rename, path)
      unlink(temporary)
      throw error
    }
  }
}

extension FileSystem {
  /// Has what was renamed, linked or removed in a folder survive a loss of power; what a write puts on the disk by itself
  /// is the content of its file.
  ///
  /// A file system that cannot do it is no error: readers see the same either way.
  package static func settle(_ folder: String) {
    let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

extension FileError {
  /// Why no file can be made in a folder; nil where one can.
  package static func ofWriting(in folder: String) -> FileError? {
    // Permission bits do not tell all: root passes them, a read-only file system does not care.
    var name = Array((folder + "/.mpaas.XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { return .last(.create, folder) }
    close(descriptor)
    unlink(name)
    return nil
  }
}
