/// A file that is written piece by piece beside its place, and renamed into it when it is whole.
///
/// An unfinished file is removed with its owner, and when the command is interrupted. Not for two threads at once.
package final class PartialFile {
  /// The final path of the file.
  package let target: String
  /// The path of the file until then.
  package var path: String { file.path }
  /// Bytes written so far.
  package private(set) var size: UInt64 = 0
  private let file: OpenFile
  private var isFinished = false
  /// Tells whether it stays where it is until it is finished or removed.
  private let isKept: Bool

  /// - Throws: `FileError` where no file can be made in the target's folder.
  package init(beside target: String) throws(FileError) {
    file = try OpenFile(unique: target, called: target)
    self.target = target
    isKept = false
    UnfinishedFiles.remember(path)
  }

  /// Goes on with the file at `path`, or begins it; it stays when its owner goes, so that a later one goes on.
  ///
  /// - Parameters:
  ///   - path: On the same file system as the target.
  ///   - limit: A file of more bytes is begun anew.
  /// - Throws: `FileError`; its code is `resourceTemporarilyUnavailable` where another program writes the file now.
  package init(continuing path: String, beside target: String, limit: UInt64) throws(FileError) {
    file = try OpenFile(path, .making(0o600), followsLinks: false, called: target)
    self.target = target
    isKept = true
    // The owner of the lock before this one may have given the file its name.
    guard file.lock() != .busy, file.hasName else {
      // Nothing of it is this one's to remove.
      isFinished = true
      throw FileError(.create, path, .resourceTemporarilyUnavailable)
    }
    size = file.status?.size ?? 0
    if size > limit { try restart() }
  }

  /// Writes behind what was written before.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    try file.write(bytes, at: size)
    size += UInt64(bytes.count)
  }

  /// Forgets what was written.
  package func restart() throws(FileError) {
    try file.resize(to: 0)
    size = 0
  }

  /// Removes a file that would have been kept.
  package func discard() {
    if !isFinished { try? FileSystem.remove(path) }
    isFinished = true
  }

  /// Puts the file into its place, over one that is there.
  ///
  /// - Parameters:
  ///   - mode: Its permissions, before the umask.
  ///   - isSettled: Whether its content is on the disk before it has its name; not needed where every reader checks it.
  package func finish(mode: UInt16 = 0o644, isSettled: Bool = true) throws(FileError) {
    file.permit(mode, isMasked: true)
    if isSettled { try file.settle() }
    try FileSystem.rename(path, to: target)
    isFinished = true
  }

  deinit {
    if !isFinished, !isKept || size == 0 { try? FileSystem.remove(path) }
    UnfinishedFiles.forget(path)
  }
}
