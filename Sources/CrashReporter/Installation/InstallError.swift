package import MPaaSBase

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension CrashReporter {
  /// The reason why the crash reporter could not be installed.
  public struct InstallError: Error, Sendable, Equatable {
    enum Code: Sendable { case directory, diskFull, limit, unsupported }
    let code: Code
    /// The directory that reports were to be kept in.
    public let directory: String
    /// The system's number for the cause (`errno`), 0 where it gave none.
    public let systemError: Int32

    init(_ code: Code, directory: String, systemError: Int32) {
      self.code = code
      self.directory = directory
      self.systemError = systemError
    }

    /// Reports cannot be written into the directory.
    public var isDirectoryUnwritable: Bool { code == .directory }
    /// There is no room for a report.
    public var isDiskFull: Bool { code == .diskFull }
    /// A limit of the process is in the way: open files, size of files, memory.
    public var isLimitReached: Bool { code == .limit }
    /// Crashes cannot be caught on this platform.
    public var isUnsupported: Bool { code == .unsupported }
  }
}

extension CrashReporter.InstallError: CustomStringConvertible {
  /// The reason in English, with the directory and the system's text for `systemError`.
  public var description: String {
    let reason = systemError == 0 ? "" : ": " + String(cString: strerror(systemError))
    return switch code {
    case .directory: "crash reports cannot be written into \(directory)\(reason)"
    case .diskFull: "there is no room for a crash report in \(directory)\(reason)"
    case .limit: "a limit of this process prevents crash reports in \(directory)\(reason)"
    case .unsupported: "crashes cannot be caught on this platform"
    }
  }
}

extension CrashReporter.InstallError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    let reason = systemError == 0 ? "" : String(cString: strerror(systemError))
    let values = ["path": directory, "reason": reason]
    return switch code {
    case .directory: Diagnostic("crash-directory-unwritable", values, at: .file(directory), exit: .cannotCreate)
    case .diskFull: Diagnostic("crash-disk-full", values, at: .file(directory), exit: .inputOutput)
    case .limit: Diagnostic("crash-limit-reached", values, at: .file(directory), exit: .tryAgain)
    case .unsupported: Diagnostic("crash-unsupported", values, exit: .internalFault)
    }
  }
}
