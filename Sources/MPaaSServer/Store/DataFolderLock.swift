import MPaaSSupport

/// The right to be the one server of a data folder; the system takes it back when the process ends, however that happens.
struct DataFolderLock {
  private let file: LockFile

  /// Makes the folder where it is missing.
  ///
  /// - Throws: `server-folder-in-use`, `FileError`.
  init(_ folder: String) throws {
    try Directories.create(folder)
    file = try LockFile(folder + "/lock")
    guard file.take() == .taken else { throw ServerError(.folderInUse, ["folder": folder]) }
  }
}
