package import MPaaSSupport

/// What is wrong with a table: an error stops the build, a warning does not.
package struct RuntimeFinding: Sendable, Equatable {
  package enum Severity: String, Sendable { case error, warning }

  package let severity: Severity
  package let diagnostic: Diagnostic

  init(_ severity: Severity, _ code: ConfigError.Code, _ values: [String: String], at place: Place?) {
    self.severity = severity
    diagnostic = ConfigError(code, values, at: place).diagnostic
  }

  package init(_ error: ConfigError) {
    severity = .error
    diagnostic = error.diagnostic
  }

  /// A line as compilers write it, which SwiftPM and Xcode understand: `file:line:column: error: sentence`.
  package var line: String {
    let place = diagnostic.place.map { "\($0): " } ?? ""
    return place + severity.rawValue + ": " + EnglishSentences.sentence(diagnostic)
  }
}

extension ConfigError.Code {
  /// A class that no source declares.
  package static var runtimeClassMissing: Self { malformed("runtime-class-missing") }
  package static var runtimeClassKind: Self { malformed("runtime-class-kind") }
  package static var runtimeClassPrivate: Self { malformed("runtime-class-private") }
  package static var runtimeClassConformance: Self { malformed("runtime-class-conformance") }
  package static var runtimeProtocolMissing: Self { malformed("runtime-protocol-missing") }
  package static var runtimeDuplicate: Self { malformed("runtime-duplicate") }
  package static var runtimeLauncher: Self { malformed("runtime-launcher") }
  package static var runtimeUnknownKey: Self { malformed("runtime-unknown-key") }
  package static var runtimeRegisteredTwice: Self { malformed("runtime-registered-twice") }
}
