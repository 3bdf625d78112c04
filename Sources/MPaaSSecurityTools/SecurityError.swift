package import MPaaSSupport

/// The reason why a process could not be checked, or the data of an app not be found.
package struct SecurityError: Error, Sendable, Equatable {
  package struct Code: Sendable, Equatable {
    let id: DiagnosticID
    let exit: ExitStatus

    private init(_ id: DiagnosticID, _ exit: ExitStatus) {
      self.id = id
      self.exit = exit
    }

    /// There is no process of this number.
    package static let processMissing = Code("security-process-missing", .inputMissing)
    /// The process belongs to another user, or is protected.
    package static let processRefused = Code("security-process-refused", .notPermitted)
    /// The system has no /proc to look into.
    package static let unsupported = Code("security-unsupported", .internalFault)
    /// No app of this name has data here.
    package static let appMissing = Code("sandbox-app-missing", .inputMissing)
    /// A path leads out of the app's data.
    package static let outside = Code("sandbox-outside", .notPermitted)
    /// A program that reaches devices failed.
    package static let deviceFailed = Code("sandbox-device-failed", .unreachable)
    /// No simulator or device is connected, or the programs that reach it are missing.
    package static let noDevice = Code("sandbox-no-device", .unreachable)
    /// The target would be overwritten.
    package static let targetExists = Code("sandbox-target-exists", .cannotCreate)
  }

  package let code: Code
  package let values: [String: String]

  package init(_ code: Code, _ values: [String: String] = [:]) {
    self.code = code
    self.values = values
  }
}

extension SecurityError: DiagnosticConvertible {
  package var diagnostic: Diagnostic { Diagnostic(code.id, values, exit: code.exit) }
}
