/// An error of one part of the kit: a stable word, what its texts name, and where it was found.
///
/// Each part has a name of its own for it, by a domain that is never made: `enum TemplateDomain {}` and
/// `typealias TemplateError = CodedError<TemplateDomain>`; it lists its codes as computed statics in extensions of
/// `Code`.
package struct CodedError<Domain>: Error, Sendable, Equatable {
  /// One way of failing: the stable word that `mpaas explain` knows, and how the command ends.
  package struct Code: Sendable, Hashable {
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

  /// The stable word and the exit status, by which two errors are the same.
  package let code: Code
  package let values: [String: String]
  package let place: Place?
  /// The steps of an explanation.
  package let details: [Diagnostic.Detail]

  package init(
    _ code: Code, _ values: [String: String] = [:], at place: Place? = nil, details: [Diagnostic.Detail] = []
  ) {
    self.code = code
    self.values = values
    self.place = place
    self.details = details
  }

  /// An error of another part, told as it is there.
  package init(_ error: some DiagnosticConvertible) {
    let diagnostic = error.diagnostic
    self.init(
      Code(diagnostic.id, exit: diagnostic.exit), diagnostic.values, at: diagnostic.place, details: diagnostic.details)
  }
}

extension CodedError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    Diagnostic(code.id, values, at: place, exit: code.exit, details: details)
  }
}
