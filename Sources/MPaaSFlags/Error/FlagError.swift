package import MPaaSSupport

/// The reason why a state of flags, or a context, is refused.
public struct FlagError: Error, Sendable, Equatable {
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
  }

  package let code: Code
  package let values: [String: String]
  package let place: Place?

  package init(_ code: Code, _ values: [String: String] = [:], at place: Place? = nil) {
    self.code = code
    self.values = values
    self.place = place
  }

  /// The stable word of the failure, such as `flags-malformed`.
  public var identifier: String { code.id.name }

  /// The same error, found in a file.
  package func inFile(_ file: String) -> FlagError {
    let line = values["line"].flatMap { Int($0) }
    let place = line.map { Place.text(file: file, line: $0, column: values["column"].flatMap { Int($0) }) }
    return FlagError(code, values.merging(["path": file]) { $1 }, at: place ?? .file(file))
  }
}

extension FlagError: DiagnosticConvertible {
  package var diagnostic: Diagnostic { Diagnostic(code.id, values, at: place, exit: code.exit) }
}

extension FlagError.Code {
  /// The bytes are no JSON.
  package static var malformed: Self { malformed("flags-malformed") }
  /// A member of a state is missing, or of another type than it has.
  package static var shape: Self { malformed("flags-shape") }
  /// A state has more than 8 MiB.
  package static var tooLarge: Self { malformed("flags-too-large") }
  /// A state has more than 10,000 flags.
  package static var tooMany: Self { malformed("flags-too-many") }
  /// A constraint has more than 1,000 values.
  package static var tooManyValues: Self { malformed("flags-values-too-many") }
  /// A context is not an object of texts.
  package static var context: Self { malformed("flags-context-malformed") }
}
