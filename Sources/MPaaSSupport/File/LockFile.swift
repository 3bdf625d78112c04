import SystemPackage

#if canImport(Darwin)
  package import Darwin
#elseif canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#endif

/// A file or folder that is held open to be locked (flock(2)).
///
/// The lock holds against other processes and other owners in this one. It goes with its owner, and with the process,
/// however that ends; the file stays.
package final class LockFile: Sendable {
  /// The ways in which a file is opened.
  package enum Opening: Sendable {
    /// For writing; made with these permissions where it is not there.
    case making(mode_t)
    case writing, reading
    case folder
  }

  package enum Attempt: Sendable, Equatable {
    case taken
    /// Another owner has it.
    case busy
    /// The file system has no locks, or has run out of them.
    case impossible(FileError)
  }

  package let path: String
  private let descriptor: Int32

  /// - Parameter followsLinks: Whether `path` may be a symbolic link.
  /// - Throws: `FileError` where it cannot be opened or made.
  package init(_ path: String, _ opening: Opening = .making(0o600), followsLinks: Bool = true) throws(FileError) {
    let flags = O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
    let operation: FileError.Operation
    switch opening {
    case .making(let mode): (descriptor, operation) = (open(path, flags | O_RDWR | O_CREAT, mode), .create)
    case .writing: (descriptor, operation) = (open(path, flags | O_RDWR), .open)
    case .reading: (descriptor, operation) = (open(path, flags | O_RDONLY), .open)
    case .folder: (descriptor, operation) = (open(path, flags | O_RDONLY | O_DIRECTORY), .open)
    }
    self.path = path
    // `deinit` leaves a descriptor alone that stands for no open file.
    guard descriptor >= 0 else { throw .last(operation, path) }
  }

  /// A file that is opened and locked; nil where it cannot be, or another owner has the lock.
  package static func locking(
    _ path: String, _ opening: Opening = .making(0o600), followsLinks: Bool = true
  ) -> LockFile? {
    guard let file = try? LockFile(path, opening, followsLinks: followsLinks), file.take() == .taken else { return nil }
    return file
  }

  /// Takes the lock if nobody has it; where it is shared, others may share it.
  package func take(shared: Bool = false) -> Attempt { attempt((shared ? LOCK_SH : LOCK_EX) | LOCK_NB) }

  /// Waits until it has the lock; `busy` is never the answer.
  package func wait(shared: Bool = false) -> Attempt { attempt(shared ? LOCK_SH : LOCK_EX) }

  private func attempt(_ operation: Int32) -> Attempt {
    while flock(descriptor, operation) != 0 {
      let error = FileError.last(.open, path)
      if error.code == .interrupted { continue }
      return error.code == .wouldBlock ? .busy : .impossible(error)
    }
    return .taken
  }

  /// Whether the path still leads to this file: whoever had the lock before may have removed it.
  package var hasName: Bool {
    FileStatus(of: descriptor).map { $0.identity == FileStatus(ofLink: path)?.identity } ?? false
  }

  /// Writes at the start of the file, for people who read it; what fails is ignored.
  package func note(_ text: String) {
    var text = text
    _ = text.withUTF8 { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}
