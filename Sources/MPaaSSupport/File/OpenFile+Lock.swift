#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
