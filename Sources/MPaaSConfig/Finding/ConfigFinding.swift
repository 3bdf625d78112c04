package import MPaaSSupport

/// Something that a check found in a file that configures an app: in a build, an error stops it, a warning does not.
package struct ConfigFinding: Sendable, Equatable {
  package enum Severity: String, Sendable, Codable { case error, warning }

  package let severity: Severity
  package let diagnostic: Diagnostic

  package init(_ severity: Severity, _ diagnostic: some DiagnosticConvertible) {
    self.severity = severity
    self.diagnostic = diagnostic.diagnostic
  }

  package init(
    _ severity: Severity, _ code: ConfigError.Code, _ values: [String: String] = [:], at place: Place? = nil
  ) {
    self.init(severity, ConfigError(code, values, at: place))
  }

  /// A line as compilers write it, which SwiftPM and Xcode understand: `file:line:column: error: sentence`.
  package var line: String {
    let place = diagnostic.place.map { "\($0): " } ?? ""
    return place + severity.rawValue + ": " + EnglishSentences.sentence(diagnostic)
  }
}

extension [ConfigFinding] {
  /// By the places in the files; those of one place stay in their order.
  package var inOrderOfPlaces: [ConfigFinding] {
    func key(_ finding: ConfigFinding) -> (String, Int, Int) {
      switch finding.diagnostic.place {
      case .text(let file, let line, let column)?: (file, line, column ?? 0)
      case .bytes(let file, _)?, .file(let file)?: (file, 0, 0)
      case nil: ("", 0, 0)
      }
    }
    return enumerated().sorted { left, right in
      let (first, second) = (key(left.element), key(right.element))
      return first == second ? left.offset < right.offset : first < second
    }.map(\.element)
  }
}
