package import MPaaSSupport

/// The reason why something is not trusted, or could not be read as what it says it is.
///
/// Each part of the target lists its own codes in an extension of `Code`.
public struct TrustError: Error, Sendable, Equatable {
  /// One way of failing: the stable word that `mpaas explain` knows, and how the command ends.
  public struct Code: Sendable, Hashable {
    package let id: DiagnosticID
    package let exit: ExitStatus

    package init(_ id: DiagnosticID, exit: ExitStatus) {
      self.id = id
      self.exit = exit
    }

    /// The code for what is not the format that it should be: exit status 65.
    package static func malformed(_ id: DiagnosticID) -> Code { Code(id, exit: .malformedInput) }
    /// The code for what is well-formed and not trusted or not permitted: exit status 77.
    package static func refused(_ id: DiagnosticID) -> Code { Code(id, exit: .notPermitted) }
  }

  package let code: Code
  package let values: [String: String]
  package let place: Place?

  package init(_ code: Code, _ values: [String: String] = [:], at place: Place? = nil) {
    self.code = code
    self.values = values
    self.place = place
  }

  /// The stable word of the failure, such as `signature-below-threshold`.
  public var identifier: String { code.id.name }
}

extension TrustError: DiagnosticConvertible {
  package var diagnostic: Diagnostic { Diagnostic(code.id, values, at: place, exit: code.exit) }
}
