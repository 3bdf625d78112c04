#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The number of an error that the C library or the kernel reported (POSIX.1, errno.h).
package struct Errno: RawRepresentable, Error, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  package static let noSuchFileOrDirectory = Errno(rawValue: ENOENT)
  package static let notDirectory = Errno(rawValue: ENOTDIR)
  package static let isDirectory = Errno(rawValue: EISDIR)
  package static let invalidArgument = Errno(rawValue: EINVAL)
  package static let noFunction = Errno(rawValue: ENOSYS)
  package static let addressInUse = Errno(rawValue: EADDRINUSE)
  package static let permissionDenied = Errno(rawValue: EACCES)
  package static let notPermitted = Errno(rawValue: EPERM)
  package static let readOnlyFileSystem = Errno(rawValue: EROFS)
  package static let noSpace = Errno(rawValue: ENOSPC)
  package static let diskQuotaExceeded = Errno(rawValue: EDQUOT)
  package static let ioError = Errno(rawValue: EIO)
  package static let fileTooLarge = Errno(rawValue: EFBIG)
  package static let interrupted = Errno(rawValue: EINTR)
  package static let wouldBlock = Errno(rawValue: EWOULDBLOCK)
  package static let resourceTemporarilyUnavailable = Errno(rawValue: EAGAIN)
  package static let noLocks = Errno(rawValue: ENOLCK)
  package static let notSupported = Errno(rawValue: ENOTSUP)
  package static let notSupportedOnSocket = Errno(rawValue: EOPNOTSUPP)
}

extension Errno: CustomStringConvertible {
  /// The C library's text, in English.
  package var description: String {
    strerror(rawValue).map { String(cString: $0) } ?? "error \(rawValue)"
  }
}
