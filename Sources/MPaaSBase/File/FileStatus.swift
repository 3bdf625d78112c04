#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The file system's facts about a path.
package struct FileStatus: Sendable, Equatable {
  package enum Kind: Sendable { case file, folder, other }
  package let kind: Kind
  package let size: UInt64
  /// Seconds since 1970.
  package let modified: Int64
  /// The same in nanoseconds.
  package let modifiedNanoseconds: Int64
  /// The permissions to read, write and execute it: the lowest 12 bits of its mode.
  package let permissions: UInt16
  /// The file itself, whatever name it has: device and number on it.
  package let identity: [UInt64]

  /// The status of what stands at `path`, links followed; nil where nothing does or it cannot be seen.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The same, a link itself rather than what it points to (its kind is `other`).
  package init?(ofLink path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The status of an open file.
  package init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    default: kind = .other
    }
    size = UInt64(max(status.st_size, 0))
    permissions = UInt16(truncatingIfNeeded: status.st_mode) & 0o7777
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Int64(time.tv_sec)
    modifiedNanoseconds = (modified &* 1_000_000_000) &+ Int64(time.tv_nsec)
    identity = [UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)]
  }
}
