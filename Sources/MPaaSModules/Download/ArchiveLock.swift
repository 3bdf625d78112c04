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
  private let file: LockFile

  /// Takes the lock, and writes the process's identifier into its file.
  ///
  /// - Returns: nil where another process has it.
  /// - Throws: `FileError` where the file cannot be made.
  static func take(_ path: String) throws(FileError) -> ArchiveLock? {
    // The owner removes the file at its end; who opened it before holds one without a name, and looks again.
    for _ in 0..<100 {
      let file = try LockFile(path, followsLinks: false)
      // A file system that knows no locks leaves each process to itself: the files are whole all the same.
      if file.take() == .busy { return nil }
      if file.hasName { return ArchiveLock(file) }
    }
    return nil
  }

  /// Tells whether a process has the lock now.
  static func isHeld(_ path: String) -> Bool {
    (try? LockFile(path, .writing, followsLinks: false))?.take() == .busy
  }

  /// The process that has the lock, as its file says; nil where it does not say.
  static func owner(_ path: String) -> Int32? {
    guard let bytes = try? Bytes.reading(path, limit: 32) else { return nil }
    let digits = bytes.buffer.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    return Int32(String(decoding: digits, as: UTF8.self))
  }

  private init(_ file: LockFile) {
    self.file = file
    // Always as long, over what an earlier owner wrote: a file that was emptied is brought to the disk when it is
    // closed.
    let digits = String(getpid())
    file.note(digits + String(repeating: " ", count: max(0, 11 - digits.utf8.count)) + "\n")
  }

  deinit {
    if file.hasName { unlink(file.path) }
  }
}
