#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file or folder that is held open to be locked.
///
/// The lock holds against other processes and other owners in this one. It goes with its owner, and with the process,
/// however that ends; the file stays.
package final class LockFile: Sendable {
  private let file: OpenFile

  /// - Parameter followsLinks: Whether `path` may be a symbolic link.
  /// - Throws: `FileError` where it cannot be opened or made.
  package init(
    _ path: String, _ opening: OpenFile.Opening = .making(0o600), followsLinks: Bool = true
  ) throws(FileError) {
    file = try OpenFile(path, opening, followsLinks: followsLinks)
  }

  // A process that another thread is about to start has the open file too until it runs its program, and with it the
  // lock, were that not given back here.
  deinit { file.unlock() }

  /// A file that is opened and locked; nil where it cannot be, or another owner has the lock.
  package static func locking(
    _ path: String, _ opening: OpenFile.Opening = .making(0o600), followsLinks: Bool = true
  ) -> LockFile? {
    guard let file = try? LockFile(path, opening, followsLinks: followsLinks), file.take() == .taken else { return nil }
    return file
  }

  package var path: String { file.path }

  /// Takes the lock if it is free; where it is shared, others may share it.
  package func take(shared: Bool = false) -> LockAttempt { file.lock(isShared: shared) }

  /// Waits until it has the lock; `busy` is never the answer.
  package func wait(shared: Bool = false) -> LockAttempt { file.lock(isShared: shared, waits: true) }

  /// Tells whether the path still leads to this file: whoever had the lock before may have removed it.
  package var hasName: Bool { file.hasName }

  /// Writes at the start of the file, for people who read it; what fails is ignored.
  package func note(_ text: String) {
    var text = text
    _ = text.withUTF8 { try? file.write(UnsafeRawBufferPointer($0), at: 0) }
  }
}

/// The outcome of an attempt to lock a file.
package enum LockAttempt: Sendable, Equatable {
  case taken
  /// Another owner has it.
  case busy
  /// The file system has no locks, or has run out of them.
  case impossible(FileError)
}

extension OpenFile {
  /// Locks it against other processes and other owners in this one (flock(2)), until it is closed.
  ///
  /// - Parameters:
  ///   - isShared: Whether others may have it at the same time, who share it too.
  ///   - waits: Whether it waits for another owner; `busy` is never the answer then.
  package func lock(isShared: Bool = false, waits: Bool = false) -> LockAttempt {
    let operation = (isShared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)
    while flock(descriptor, operation) != 0 {
      let error = FileError.last(.open, name)
      if error.code == .interrupted { continue }
      return error.code == .wouldBlock ? .busy : .impossible(error)
    }
    return .taken
  }

  /// Gives the lock back before the file is closed.
  package func unlock() { flock(descriptor, LOCK_UN) }
}
