import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Keeps other processes from bringing a project into step as long as it is held; it goes with its owner, however that
/// ends.
///
/// The folder itself is locked, so that no file is left in it.
final class ProjectGate: Sendable {
  private let descriptor: Int32

  /// - Parameter waiting: Called once where another process has it.
  init(_ folder: String, waiting: () -> Void) throws(ModuleError) {
    descriptor = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else { throw ModuleError(FileError.last(.open, folder)) }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
    // A file system without locks: one process at a time has to do.
    guard errno == EWOULDBLOCK || errno == EINTR else { return }
    waiting()
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  deinit {
    close(descriptor)
  }
}
