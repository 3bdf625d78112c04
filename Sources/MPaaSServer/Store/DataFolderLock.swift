import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The right to be the one server of a data folder; the system takes it back when the process ends, however that happens.
struct DataFolderLock {
  private let descriptor: Int32

  /// Makes the folder where it is missing.
  ///
  /// - Throws: `server-folder-in-use`, `FileError`.
  init(_ folder: String) throws {
    try Directories.create(folder)
    let path = folder + "/lock"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError.last(.create, path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw ServerError(.folderInUse, ["folder": folder])
    }
  }

  func release() { close(descriptor) }
}
