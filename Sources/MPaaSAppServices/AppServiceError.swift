package import MPaaSSupport

/// The reason why something that an app's operator sent, or an app kept, could not be used.
public struct AppServiceError: Error, Sendable, Equatable {
  /// One way of failing: the stable word that `mpaas explain` knows, and how the command ends.
  package struct Code: Sendable, Hashable {
    package let id: DiagnosticID
    package let exit: ExitStatus

    package init(_ id: DiagnosticID, exit: ExitStatus) {
      self.id = id
      self.exit = exit
    }
  }

  package let code: Code
  package let values: [String: String]
  package let place: Place?

  package init(_ code: Code, _ values: [String: String] = [:], at place: Place? = nil) {
    self.code = code
    self.values = values
    self.place = place
  }

  /// The failure of another part, told as it is there.
  package init(_ error: some DiagnosticConvertible) {
    let diagnostic = error.diagnostic
    self.init(Code(diagnostic.id, exit: diagnostic.exit), diagnostic.values, at: diagnostic.place)
  }

  /// The stable word of the failure, such as `badge-payload-malformed`.
  public var identifier: String { code.id.name }
}

extension AppServiceError: DiagnosticConvertible {
  package var diagnostic: Diagnostic { Diagnostic(code.id, values, at: place, exit: code.exit) }
}
