package import MPaaSSupport

/// Why a theme, or a value of it, cannot be read.
public struct ThemeError: Error, Sendable, Equatable {
  /// One way of failing: the stable word that `mpaas explain` knows, and how the command ends.
  public struct Code: Sendable, Hashable {
    package let id: DiagnosticID
    package let exit: ExitStatus

    /// The stable word, such as `theme-constant-missing`.
    public var word: String { id.description }

    package init(_ id: DiagnosticID, exit: ExitStatus) {
      self.id = id
      self.exit = exit
    }

    /// What is not the format that it should be: exit status 65.
    package static func malformed(_ id: DiagnosticID) -> Code { Code(id, exit: .malformedInput) }
  }

  public let code: Code
  /// What the texts of the error name: value paths, constants, conditions.
  public let values: [String: String]
  package let place: Place?

  package init(_ code: Code, _ values: [String: String] = [:], at place: Place? = nil) {
    self.code = code
    self.values = values
    self.place = place
  }
}

extension ThemeError: DiagnosticConvertible {
  package var diagnostic: Diagnostic { Diagnostic(code.id, values, at: place, exit: code.exit) }
}
