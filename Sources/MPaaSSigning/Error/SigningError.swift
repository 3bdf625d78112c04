package import MPaaSSupport

/// The reason why a request could not be signed, or a key not be used.
public struct SigningError: Error, Sendable, Equatable {
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

  package init(_ code: Code, _ values: [String: String] = [:]) {
    self.code = code
    self.values = values
  }

  /// The stable word of the failure, such as `signing-key-malformed`.
  public var identifier: String { code.id.name }
}

extension SigningError: DiagnosticConvertible {
  package var diagnostic: Diagnostic { Diagnostic(code.id, values, exit: code.exit) }
}

extension SigningError.Code {
  /// A text that is no RSA key in PEM.
  package static var keyMalformed: Self { Self("signing-key-malformed", exit: .malformedInput) }
  /// An RSA key of less than 2,048 bits.
  package static var keyTooSmall: Self { Self("signing-key-too-small", exit: .notPermitted) }
  /// A key that the algorithm cannot use: a secret for RSA, or a public key for signing.
  package static var keyMismatch: Self { Self("signing-key-mismatch", exit: .usage) }
  /// A secret without a single byte, with which anybody could sign.
  package static var secretEmpty: Self { Self("signing-secret-empty", exit: .usage) }
  /// A call without a part that its signature covers.
  package static var partMissing: Self { Self("signing-part-missing", exit: .usage) }
  /// A part that would make two different requests look the same when they are signed.
  package static var partAmbiguous: Self { Self("signing-part-ambiguous", exit: .usage) }
  /// A text that is neither a message of HTTP nor a call of curl.
  package static var requestMalformed: Self { Self("signing-request-malformed", exit: .malformedInput) }
  /// A signature that the system's library would not make.
  package static var failed: Self { Self("signing-request-failed", exit: .internalFault) }
}
