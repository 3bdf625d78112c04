import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The right to move a transfer, which one process at a time has; the system takes it back when the process ends.
final class TransferClaim: Sendable {
  private let descriptor: Int32
  private let path: String

  private init(_ descriptor: Int32, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Takes the right.
  ///
  /// - Parameter folder: Where the files of claims stand.
  /// - Returns: nil where somebody else has it.
  static func take(_ id: TransferID, in folder: String) -> TransferClaim? {
    let path = "\(folder)/\(id)"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    // Who had it before may have removed the file that was opened here.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isSame(descriptor, path) else {
      close(descriptor)
      return nil
    }
    return TransferClaim(descriptor, path)
  }

  private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
    var (open, named) = (stat(), stat())
    return fstat(descriptor, &open) == 0 && stat(path, &named) == 0 && open.st_ino == named.st_ino
  }

  deinit {
    unlink(path)
    close(descriptor)
  }
}
