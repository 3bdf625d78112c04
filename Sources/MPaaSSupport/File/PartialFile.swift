import SystemPackage

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
  /// Whether it stays where it is until it is finished or removed.
  private let isKept: Bool

  /// - Throws: `FileError` where no file can be made in the target's folder.
  package init(beside target: String) throws(FileError) {
    var name = Array((target + ".XXXXXX").utf8CString)
    descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw .last(.create, target) }
    self.target = target
    isKept = false
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    UnfinishedFiles.remember(path)
  }

  /// Goes on with the file at `path`, or begins it; it stays when its owner goes, so that a later one goes on.
  ///
  /// - Parameters:
  ///   - path: On the same file system as the target.
  ///   - limit: A file of more bytes is begun anew.
  /// - Throws: `FileError`; its code is `resourceTemporarilyUnavailable` where another program writes the file now.
  package init(continuing path: String, beside target: String, limit: UInt64) throws(FileError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .last(.create, path) }
    self.target = target
    self.path = path
    isKept = true
    let isMine = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    // Who had the lock before may have given the file its name.
    guard isMine, FileStatus(path)?.identity == FileStatus(of: descriptor)?.identity else {
      // Nothing of it is this one's to remove.
      isFinished = true
      throw FileError(.create, path, .resourceTemporarilyUnavailable)
    }
    size = UInt64(max(lseek(descriptor, 0, SEEK_END), 0))
    if size > limit { try restart() }
  }

  /// Writes behind what was written before.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    try FileSystem.writeAll(descriptor, bytes, target)
    size += UInt64(bytes.count)
  }

  /// Forgets what was written.
  package func restart() throws(FileError) {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { throw .last(.write, target) }
    size = 0
  }

  /// Removes a file that would have been kept.
  package func discard() {
    if !isFinished { unlink(path) }
    isFinished = true
  }

  /// Puts the file into its place, over one that is there.
  ///
  /// - Parameters:
  ///   - mode: Its permissions, before the umask.
  ///   - isSettled: Whether its content is on the disk before it has its name; not needed where every reader checks it.
  package func finish(mode: UInt16 = 0o644, isSettled: Bool = true) throws(FileError) {
    fchmod(descriptor, mode_t(mode) & ~FileSystem.creationMask)
    guard !isSettled || fsync(descriptor) == 0 || errno == EINVAL else { throw .last(.write, target) }
    guard rename(path, target) == 0 else { throw .last(.rename, target) }
    isFinished = true
  }

  deinit {
    close(descriptor)
    if !isFinished, !isKept || size == 0 { unlink(path) }
    UnfinishedFiles.forget(path)
  }
}
