import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The right to bring one archive into the cache, held by one process at a time.
///
/// The system takes it back when the process ends, however that happens: the file that it is asked for by may stay, and
/// means nothing then.
final class ArchiveLock: Sendable {
  private let path: String
  private let descriptor: Int32

  /// Takes the lock, and writes the process's identifier into its file.
  ///
  /// - Returns: nil where another process has it.
  /// - Throws: `FileError` where the file cannot be made.
  static func take(_ path: String) throws(FileError) -> ArchiveLock? {
    // The owner removes the file at its end; who opened it before holds one without a name, and looks again.
    for _ in 0..<100 {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw .last(.create, path) }
      // A file system that knows no locks leaves each process to itself: the files are whole all the same.
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
        close(descriptor)
        return nil
      }
      let lock = ArchiveLock(path, descriptor)
      if lock.hasName {
        lock.writeOwner()
        return lock
      }
    }
    return nil
  }

  /// Whether a process has the lock now.
  static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// The process that has the lock, as its file says; nil where it does not say.
  static func owner(_ path: String) -> Int32? {
    guard let bytes = try? Bytes.reading(path, limit: 32) else { return nil }
    let digits = bytes.buffer.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    return Int32(String(decoding: digits, as: UTF8.self))
  }

  private init(_ path: String, _ descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  private var hasName: Bool {
    var own = stat(), named = stat()
    return fstat(descriptor, &own) == 0 && lstat(path, &named) == 0 && own.st_dev == named.st_dev
      && own.st_ino == named.st_ino
  }

  private func writeOwner() {
    // Always as long, over what an earlier owner wrote: a file that was emptied is brought to the disk when it is closed.
    let digits = String(getpid())
    let text = Array((digits + String(repeating: " ", count: max(0, 11 - digits.utf8.count)) + "\n").utf8)
    // Only people read it.
    _ = pwrite(descriptor, text, text.count, 0)
  }

  deinit {
    if hasName { unlink(path) }
    close(descriptor)
  }
}
