#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Bytes {
  /// Writes the bytes beside `path` and renames them into place, so that a reader sees the old file or the new one;
  /// after a loss of power too, where only `FileSystem.settle` makes sure that it is the new one.
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
    guard let target = FileSystem.resolved(path) else { throw .last(.create, path) }
    try replace(target, mode)
  }

  private func pour(into path: String) throws(FileError) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .last(.create, path) }
    try OpenFile(descriptor: descriptor, path: path).append(buffer)
  }

  private func replace(_ path: String, _ mode: UInt16) throws(FileError) {
    let file = try PartialFile(beside: path)
    try file.append(buffer)
    try file.finish(mode: mode)
  }
}

extension FileSystem {
  /// Has what was renamed, linked or removed in a folder survive a loss of power; what a write puts on the disk by
  /// itself is the content of its file.
  ///
  /// A file system that cannot do it is no error: readers see the same either way.
  package static func settle(_ folder: String) {
    guard let file = try? OpenFile(folder.isEmpty ? "." : folder, .folder) else { return }
    try? file.settle()
  }
}

extension FileError {
  /// The reason why no file can be made in a folder; nil where one can.
  package static func ofWriting(in folder: String) -> FileError? {
    // Permission bits do not tell all: root passes them, a read-only file system does not care.
    do throws(FileError) {
      let file = try OpenFile(unique: folder + "/.mpaas", called: folder)
      unlink(file.path)
      return nil
    } catch {
      return error
    }
  }
}
