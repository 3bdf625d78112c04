import MPaaSSupport

/// Something that a description should have otherwise.
package struct OpenAPIFinding: Sendable, Equatable {
  package enum Severity: String, Sendable, Encodable { case error, warning }

  package let severity: Severity
  /// The word, the values and the place, as errors have them.
  package let error: OpenAPIError
  /// The JSON pointer of what it is about.
  package let pointer: String
}

extension OpenAPIError.Code {
  /// A value of another kind than is wanted.
  static var lintType: Self { .malformed("openapi-lint-type") }
  static var lintMissing: Self { .malformed("openapi-lint-missing") }
  static var lintUnknown: Self { .malformed("openapi-lint-unknown") }
  /// A value that is none of some words.
  static var lintValue: Self { .malformed("openapi-lint-value") }
  /// Two members of which only one may be there.
  static var lintExclusive: Self { .malformed("openapi-lint-exclusive") }
  static var lintEmpty: Self { .malformed("openapi-lint-empty") }
  static var lintNotHere: Self { .malformed("openapi-lint-not-here") }
  static var lintPath: Self { .malformed("openapi-lint-path") }
  static var lintKeyword: Self { .malformed("openapi-lint-keyword") }
  static var lintPattern: Self { .malformed("openapi-lint-pattern") }
  static var lintPatternUnsupported: Self { .malformed("openapi-lint-pattern-unsupported") }
  static var lintOperationTwice: Self { .malformed("openapi-lint-operation-twice") }
  static var lintParameterMissing: Self { .malformed("openapi-lint-parameter-missing") }
  static var lintParameterUnused: Self { .malformed("openapi-lint-parameter-unused") }
  static var lintParameterTwice: Self { .malformed("openapi-lint-parameter-twice") }
  static var lintPathAmbiguous: Self { .malformed("openapi-lint-path-ambiguous") }
  static var lintExample: Self { .malformed("openapi-lint-example") }
  static var lintUnused: Self { .malformed("openapi-lint-unused") }
  static var lintScheme: Self { .malformed("openapi-lint-scheme") }
}
