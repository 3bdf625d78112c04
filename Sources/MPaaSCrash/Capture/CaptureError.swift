package import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The reason why a process could not be looked at from outside.
package struct CaptureError: Error, Sendable, Equatable {
  package enum Code: Sendable {
    /// The kernel or the container refuses `ptrace`.
    case refused
    /// Another debugger holds the process.
    case alreadyTraced
    case noSuchProcess
    /// A process cannot look at itself.
    case ownProcess
    case commandNotFound
    case commandNotExecutable
    /// The system is out of processes or memory.
    case cannotStart
    case unsupportedPlatform
    /// The process ended while it was being looked at.
    case ended
  }

  package let code: Code
  /// The process looked at, where there is one.
  package let process: Int32?
  /// The command that was to be started.
  package let command: String?
  /// The kernel's number for it.
  package let system: Int32

  package init(_ code: Code, process: Int32? = nil, command: String? = nil, system: Int32 = 0) {
    self.code = code
    self.process = process
    self.command = command
    self.system = system
  }
}

extension CaptureError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    var values = ["reason": system == 0 ? "" : String(cString: strerror(system))]
    if let process { values["pid"] = "\(process)" }
    if let command { values["command"] = command }
    return Diagnostic(id, values, exit: exit)
  }

  private var id: DiagnosticID {
    switch code {
    case .refused: Self.yamaScope > 0 ? "trace-refused-yama" : "trace-refused"
    case .alreadyTraced: "trace-already-traced"
    case .noSuchProcess: "process-missing"
    case .ownProcess: "trace-own-process"
    case .commandNotFound: "command-missing"
    case .commandNotExecutable: "command-not-executable"
    case .cannotStart: "command-not-started"
    case .unsupportedPlatform: "trace-unsupported"
    case .ended: "process-ended"
    }
  }

  private var exit: ExitStatus {
    switch code {
    case .refused, .alreadyTraced, .ownProcess: .notPermitted
    case .noSuchProcess, .ended: .inputMissing
    // As shells and env(1) do.
    case .commandNotFound: ExitStatus(rawValue: 127)
    case .commandNotExecutable: ExitStatus(rawValue: 126)
    case .cannotStart: .tryAgain
    case .unsupportedPlatform: .internalFault
    }
  }

  /// The kernel's `ptrace_scope` (Yama): 1 descendants only, 2 administrators only, 3 none; 0 without Yama.
  private static var yamaScope: Int {
    ProcFile.text("/proc/sys/kernel/yama/ptrace_scope").flatMap { Int($0.trimmed) } ?? 0
  }
}
