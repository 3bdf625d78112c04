#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension HangMonitor {
  /// The reason why hangs are not watched.
  public struct StartError: Error, Sendable, Equatable, CustomStringConvertible {
    enum Code: Sendable { case directory, alreadyStarted, unsupported, system }
    let code: Code
    /// The folder that records were to be kept in.
    public let directory: String
    /// The system's number for the cause (`errno`).
    public let systemError: Int32

    init(_ code: Code, directory: String, systemError: Int32) {
      self.code = code
      self.directory = directory
      self.systemError = systemError
    }

    init(_ systemError: Int32, directory: String) {
      let code: Code =
        switch systemError {
        case EALREADY: .alreadyStarted
        case ENOTSUP: .unsupported
        case ENOENT, EACCES, ENOTDIR, EROFS: .directory
        default: .system
        }
      self.init(code, directory: directory, systemError: systemError)
    }

    /// Another monitor of this process watches already.
    public var isAlreadyStarted: Bool { code == .alreadyStarted }
    /// Hangs cannot be watched on this system.
    public var isUnsupported: Bool { code == .unsupported }
    /// Records cannot be kept in the folder.
    public var isDirectoryUnwritable: Bool { code == .directory }

    /// The reason in English.
    public var description: String {
      let reason = String(cString: strerror(systemError))
      return switch code {
      case .directory: "records of hangs cannot be kept in \(directory): \(reason)"
      case .alreadyStarted: "hangs of this process are watched already"
      case .unsupported: "hangs cannot be watched on this system"
      case .system: "hangs cannot be watched: \(reason)"
      }
    }
  }
}
