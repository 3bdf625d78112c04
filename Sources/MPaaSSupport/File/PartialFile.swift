#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that is written piece by piece beside its place, and renamed into it when it is whole.
///
/// What is not finished is removed with its owner, and when the command is interrupted. Not for two threads at once.
package final class PartialFile {
  /// Where the file will be.
  package let target: String
  /// Where it is until then.
  package let path: String
  /// Bytes written so far.
  package private(set) var size: UInt64 = 0
  private let descriptor: Int32
  private var isFinished = false

  /// - Throws: `FileError` where no file can be made in the target's folder.
  package init(beside target: String) throws(FileError) {
    var name = Array((target + ".XXXXXX").utf8CString)
    descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw .last(.create, target) }
    self.target = target
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    UnfinishedFiles.remember(path)
  }

  /// Writes behind what was written before.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest)
      let count = write(descriptor, piece.baseAddress, piece.count)
      if count > 0 {
        rest = rest.dropFirst(count)
        size += UInt64(count)
      } else if errno != EINTR {
        throw .last(.write, target)
      }
    }
  }

  /// Forgets what was written.
  package func restart() throws(FileError) {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { throw .last(.write, target) }
    size = 0
  }

  /// Puts the file into its place, over one that is there.
  ///
  /// - Parameter mode: Its permissions, before the umask.
  package func finish(mode: UInt16 = 0o644) throws(FileError) {
    let mask = umask(0)
    umask(mask)
    fchmod(descriptor, mode_t(mode) & ~mask)
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last(.write, target) }
    guard rename(path, target) == 0 else { throw .last(.rename, target) }
    isFinished = true
  }

  deinit {
    close(descriptor)
    if !isFinished { unlink(path) }
    UnfinishedFiles.forget(path)
  }
}
