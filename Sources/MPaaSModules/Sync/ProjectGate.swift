import MPaaSSupport

/// Keeps other processes from bringing a project into step as long as it is held; it goes with its owner, however that
/// ends.
///
/// The folder itself is locked, so that no file is left in it.
final class ProjectGate: Sendable {
  private let lock: LockFile

  /// - Parameter waiting: Called once where another process has it.
  init(_ folder: String, waiting: () -> Void) throws(ModuleError) {
    do throws(FileError) {
      lock = try LockFile(folder, .folder)
    } catch {
      throw ModuleError(error)
    }
    // A file system without locks: one process at a time has to do.
    guard lock.take() == .busy else { return }
    waiting()
    _ = lock.wait()
  }
}
