import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What tells one state of a file from another: the file itself, its size and when it was changed.
struct FileMark: Sendable, Equatable {
  let size: UInt64
  let text: String

  /// nil where no file stands at the path.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    size = UInt64(max(status.st_size, 0))
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    text = "\(status.st_ino).\(size).\(time.tv_sec).\(time.tv_nsec)"
  }
}
