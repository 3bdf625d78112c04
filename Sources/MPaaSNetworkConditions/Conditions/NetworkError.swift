package import MPaaSSupport

/// The reason why conditions, a proxy, a profile or a timeline cannot be had.
public struct NetworkError: Error, Sendable, Equatable {
  /// One way of failing: the stable word that `mpaas explain` knows, and how the command ends.
  public struct Code: Sendable, Hashable {
    package let id: DiagnosticID
    package let exit: ExitStatus

    /// The stable word, such as `net-proxy-unknown`.
    public var word: String { id.description }

    package init(_ id: DiagnosticID, exit: ExitStatus) {
      self.id = id
      self.exit = exit
    }

    /// The code for what is not the format that it should be: exit status 65.
    package static func malformed(_ id: DiagnosticID) -> Code { Code(id, exit: .malformedInput) }
    /// The code for what is not permitted here: exit status 77.
    package static func refused(_ id: DiagnosticID) -> Code { Code(id, exit: .notPermitted) }
  }

  /// The kind of the error.
  public let code: Code
  /// The values that the texts of the error name: proxies, toxics, addresses, offsets.
  public let values: [String: String]
  package let place: Place?

  package init(_ code: Code, _ values: [String: String] = [:], at place: Place? = nil) {
    self.code = code
    self.values = values
    self.place = place
  }
}

extension NetworkError: DiagnosticConvertible {
  package var diagnostic: Diagnostic { Diagnostic(code.id, values, at: place, exit: code.exit) }
}
