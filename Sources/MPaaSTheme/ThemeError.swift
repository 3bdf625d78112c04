import MPaaSConfig
package import MPaaSSupport

/// The reason why a theme, or a value of it, cannot be read.
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

    /// The code for what is not the format that it should be: exit status 65.
    package static func malformed(_ id: DiagnosticID) -> Code { Code(id, exit: .malformedInput) }
  }

  /// The kind of the error.
  public let code: Code
  /// The values that the texts of the error name: value paths, constants, conditions.
  public let values: [String: String]
  package let place: Place?

  package init(_ code: Code, _ values: [String: String] = [:], at place: Place? = nil) {
    self.code = code
    self.values = values
    self.place = place
  }
}

extension ThemeError {
  /// The same error, with the value path that it keeps from having a value.
  func of(path: String) -> ThemeError {
    ThemeError(code, values.merging(["value_path": path]) { old, _ in old }, at: place)
  }

  /// The value path that has no value because of the error.
  package var valuePath: String? { values["value_path"] }
}

extension ThemeError: DiagnosticConvertible {
  package var diagnostic: Diagnostic { Diagnostic(code.id, values, at: place, exit: code.exit) }
}

extension ThemeError {
  /// An error of the property list that a theme is written in, told as it is there.
  init(_ error: ConfigError) {
    let diagnostic = error.diagnostic
    self.init(Code(diagnostic.id, exit: diagnostic.exit), diagnostic.values, at: diagnostic.place)
  }
}

extension ThemeError.Code {
  /// No such file, or a folder without a `theme.plist`.
  package static var missing: Self { ThemeError.Code("theme-missing", exit: .inputMissing) }
  package static var unreadable: Self { ThemeError.Code("theme-unreadable", exit: .inputOutput) }
  /// A value of another type than the key has.
  package static var type: Self { malformed("theme-type") }
  /// A constant that the file does not define.
  package static var constantMissing: Self { malformed("theme-constant-missing") }
  /// A constant that is defined by itself.
  package static var constantCycle: Self { malformed("theme-constant-cycle") }
  /// Constants that hold each other so often that a small file grows without end.
  package static var tooLarge: Self { malformed("theme-too-large") }
}
