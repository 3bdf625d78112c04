import MPaaSSupport

/// The right to move a transfer, which one process at a time has; the system takes it back when the process ends.
final class TransferClaim: Sendable {
  private let lock: LockFile

  private init(_ lock: LockFile) {
    self.lock = lock
  }

  /// Takes the right.
  ///
  /// - Parameter folder: Where the files of claims stand.
  /// - Returns: nil where somebody else has it.
  static func take(_ id: TransferID, in folder: String) -> TransferClaim? {
    // The owner of the lock before this one may have removed the file that was opened here.
    guard let lock = LockFile.locking("\(folder)/\(id)", followsLinks: false), lock.hasName else { return nil }
    return TransferClaim(lock)
  }

  deinit {
    try? FileSystem.remove(lock.path)
  }
}
